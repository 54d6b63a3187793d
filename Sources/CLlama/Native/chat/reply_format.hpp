#pragma once

#include "compiled_template.hpp"

#include <string>

namespace cllama::chat {

/// Renders with what llama.cpp knows of the template's family or found out by analysis.
///
/// When only that knowledge fails, the result has the prompt and a format without tools and thinking. Throws when the
/// template itself cannot render the conversation. Needs a `budget`.
common_chat_params applied(const compiled_template & target, const autoparser::generation_params & parameters,
                           time_point deadline);

/// The JSON of `cl_chat_rendering_details`; `analysis` may be null.
std::string details_of(const common_chat_params & parameters, const autoparser::autoparser * analysis);

}  // namespace cllama::chat
