#pragma once

#include <cstdint>
#include <string>

namespace cllama::chat {

/// `text` without ASCII white space at both ends.
std::string trimmed(const std::string & text);

/// `text` with each byte that belongs to no well-formed UTF-8 character replaced by U+FFFD.
std::string valid_utf8(const std::string & text);

/// A character; bytes that belong to none have the code of U+FFFD.
struct character {
    uint32_t code;
    size_t length;
};

/// Reads the character that starts at `at`, which is inside of `text`.
character read_character(const std::string & text, size_t at);

/// At least `digits` lower-case digits.
std::string hexadecimal(uint32_t number, int digits);

}  // namespace cllama::chat
