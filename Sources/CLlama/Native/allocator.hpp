#pragma once

namespace cllama {

/// Gives memory that was freed back to the system, where its allocator would keep it for later.
///
/// Does nothing shortly after it did so. May take a while in a process that holds much, so it is for the end of
/// something large, on a thread that nobody waits for.
void return_freed_memory() noexcept;

}  // namespace cllama
