#pragma once

#include "values.hpp"

#include <string>
#include <vector>

namespace cllama::chat {

/// Carries the mark "text of a user, a model or a tool" through builtins that lose it.
///
/// llama.cpp marks the strings of the request and keeps the marks while strings are printed and joined with `+`, but
/// `split`, `join`, `tojson`, subscripts and others return unmarked text. Without a mark such text could yield
/// control tokens.
void carry_marks(const std::string & builtin, const operands & values, const jinja::value & result);

/// The bytes from `begin` to `end` of `text` with their marks.
std::vector<jinja::string_part> parts_between(const jinja::string & text, size_t begin, size_t end);

/// Sets the marks of the variables of one rendering: role names and the BOS and EOS texts are template text, the
/// keys in tools and arguments are input.
void mark_variables(jinja::context & context);

/// Joins neighbours with the same mark and drops empty parts.
std::vector<jinja::string_part> merged(const std::vector<jinja::string_part> & parts);

}  // namespace cllama::chat
