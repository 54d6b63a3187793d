#pragma once

#include "budget.hpp"

#include <string>
#include <vector>

namespace cllama::chat {

using marked_text = std::vector<jinja::string_part>;

/// Cuts `prompt` into runs of template text and input. The prompt is one of `printed`, or was made from it by
/// changing template text.
marked_text marked_prompt(const std::string & prompt, const std::vector<printed_text> & printed);

/// Drops one `token` that the template itself printed at the start or the end.
void drop_leading(marked_text & text, const std::string & token);
void drop_trailing(marked_text & text, const std::string & token);

}  // namespace cllama::chat
