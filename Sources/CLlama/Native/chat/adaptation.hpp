#pragma once

#include "compiled_template.hpp"
#include "request.hpp"

namespace cllama::chat {

/// Whether `target` writes tools, in whatever form, into the prompt.
bool knows_tools(const compiled_template & target);

/// The request in the form that `target` understands.
///
/// - A template without a system role gets system texts in front of the next user text, separated by a blank line.
/// - Content is a string or a list of typed parts, and arguments are an object or JSON text, as the template wants.
/// - A template that knows no tools but "functions" gets these as text.
/// - "developer" becomes "system", except for templates with channels, which know that role.
autoparser::generation_params adapted(const request & asked, const compiled_template & target);

}  // namespace cllama::chat
