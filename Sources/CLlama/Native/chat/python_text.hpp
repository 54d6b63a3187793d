#pragma once

#include "values.hpp"

#include <string>

/// Values as Python spells them, which is what templates are written for. llama.cpp prints no `None`, no lists and no
/// objects, and keeps six digits of a number.
namespace cllama::chat {

/// The fewest digits that read back as the same number.
std::string number_text(double number);

/// `value` as `str` spells it, with its marks: a list or an object is input as a whole when anything in it is. What has
/// no text, such as an undefined value, is empty.
jinja::string python_text(const jinja::value & value);

}  // namespace cllama::chat
