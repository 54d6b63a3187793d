#pragma once

#include "llama_jinja.hpp"

#include <string>

namespace cllama::chat {

enum class dialect {
    jinja,
    /// A name or text that only llama.cpp's older C API may know.
    legacy,
    /// The language of Go's text/template.
    go,
};

/// What `text` is written in, judged by its delimiters.
dialect dialect_of(const std::string & text);

/// Whether a Go action such as `{{ .System }}` or `{{ range .Messages }}` occurs.
bool has_go_actions(const std::string & text);

/// `text` with UNIX line ends and without invalid UTF-8, at most `MAX_SOURCE_BYTES` long.
std::string normalised_source(const std::string & text);

/// Parses `source` after checking that the parser can take it, and rewrites it to run within budgets.
///
/// Throws `failure(CL_LIMIT_EXCEEDED)` for text that is too long or nests too deep, and llama.cpp's own exceptions
/// for text that is not Jinja.
jinja::program parsed(const std::string & source);

}  // namespace cllama::chat
