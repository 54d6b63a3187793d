#pragma once

#include "llama_jinja.hpp"

#include <vector>

namespace cllama::chat {

/// The name of the filter that stands for the operator `**`. No template can write it.
inline constexpr const char * POWER = "**";

/// The tokens with the operators of Python's Jinja that llama.cpp does not know, and with signs behind keywords.
///
/// `a // b` becomes one operator with the rank of `*`. `a ** b` becomes a filter with one argument, which has the rank
/// that the operator has in Python's Jinja: above `*`, below signs, and from left to right.
///
/// Throws `failure(CL_TEMPLATE_FAILED)` where `**` unpacks the arguments of a call.
std::vector<jinja::token> with_python_operators(std::vector<jinja::token> tokens);

}  // namespace cllama::chat
