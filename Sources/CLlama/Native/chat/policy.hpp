#pragma once

#include "values.hpp"

#include <string>

namespace cllama::chat {

/// Refuses a call of a builtin that llama.cpp would carry out without bound, or that would crash it.
///
/// `name` is the builtin's own name ("range", "replace", "test_is_in"). Calls that are only wrong are left to
/// llama.cpp, which has its own message for them.
void check_builtin(const std::string & name, const operands & values);

/// The same for a binary operator other than `and` and `or`.
void check_operator(const std::string & name, const jinja::value & left, const jinja::value & right);

}  // namespace cllama::chat
