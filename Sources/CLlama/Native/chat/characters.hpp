#pragma once

#include "values.hpp"

#include <string>
#include <vector>

/// Texts by characters, as Python counts them. llama.cpp counts bytes, and so cuts characters apart.
namespace cllama::chat {

size_t character_count(const std::string & text);

/// `text[index]` with its mark; undefined outside of the text.
jinja::value character_at(const jinja::string & text, int64_t index);

/// `text[start:stop:step]` with its marks. A bound that is not given is NULL; NULL is returned when one is no integer
/// or the step is zero.
jinja::value characters_between(const jinja::string & text, const jinja::value & start, const jinja::value & stop,
                                const jinja::value & step);

/// The characters of a text, with their marks.
std::vector<jinja::value> characters_of(const jinja::string & text);

/// The words of a text, which any white space separates, with their marks.
std::vector<jinja::value> words_of(const jinja::string & text);

/// `text` without the characters of `set` at the ends asked for.
jinja::value stripped(const jinja::string & text, const std::string & set, bool left, bool right);

/// What Python's `strip` removes by default.
const std::string & white_space();

}  // namespace cllama::chat
