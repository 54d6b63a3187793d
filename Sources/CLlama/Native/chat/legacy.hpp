#pragma once

#include "request.hpp"
#include "segments.hpp"

#include <string>

namespace cllama::chat {

/// Whether llama.cpp's older C API knows this name or recognises this text.
bool legacy_knows(const std::string & source);

/// Renders with that API, which knows neither tools nor thinking.
marked_text legacy_prompt(const std::string & source, const request & asked);

}  // namespace cllama::chat
