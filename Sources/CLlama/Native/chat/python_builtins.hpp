#pragma once

#include "values.hpp"

#include <string>

/// What Python's Jinja makes of an operation where llama.cpp makes something else, for operands that `check_builtin` or
/// `check_operator` has let pass. NULL leaves the operation to llama.cpp.
namespace cllama::chat {

/// A filter or a method; `name` is the builtin's own name.
jinja::value python_builtin(const std::string & name, const operands & values);

/// Whether llama.cpp has no such filter or operator, so that its analysis of a template needs ours too.
bool is_python_only(const std::string & name);

/// A binary operator other than `and` and `or`. Throws where Python does.
jinja::value python_operator(const std::string & name, const jinja::value & left, const jinja::value & right);

}  // namespace cllama::chat
