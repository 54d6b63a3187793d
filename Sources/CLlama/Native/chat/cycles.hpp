#pragma once

#include "llama_jinja.hpp"


#include <memory>
#include <vector>

namespace cllama::chat {

/// Takes apart values that contain themselves, so that they are freed.
///
/// Only an object or list that was changed after it was made can contain itself: `changed` are all of those.
void cut_cycles(const std::vector<std::weak_ptr<jinja::value_t>> & changed) noexcept;

}  // namespace cllama::chat
