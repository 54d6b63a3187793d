#pragma once

#include "values.hpp"

#include <string>

/// Numbers as Python calculates with them. `true` is 1 there, and `false` is 0.
namespace cllama::chat {

/// Floating point.
bool is_real(const jinja::value & value);
/// An integer or a truth value.
bool is_whole(const jinja::value & value);
int64_t whole(const jinja::value & value);
double real(const jinja::value & value);

/// `left name right` for `+`, `-`, `*`, `/`, `//`, `%` and `**`; NULL for other operators, and unless both are numbers.
///
/// Throws where Python does, and for whole numbers beyond 64 bits.
jinja::value calculated(const std::string & name, const jinja::value & left, const jinja::value & right);

}  // namespace cllama::chat
