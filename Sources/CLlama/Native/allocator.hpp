#pragma once

namespace cllama {

/// Gives memory that was freed back to the system, where its allocator would keep it for later.
///
/// Takes a few milliseconds, so it is for the end of something large.
void return_freed_memory() noexcept;

}  // namespace cllama
