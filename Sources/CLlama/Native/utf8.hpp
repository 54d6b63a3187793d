#pragma once

#include <cstddef>

namespace cllama {

/// What stands at the start of a run of bytes.
struct utf8_unit {
    /// Bytes of the character, or of the longest start of one that never completes. At least 1.
    size_t length;
    bool is_valid;
};

/// Reads one character; `size` is at least 1. Overlong forms, surrogates and values above U+10FFFF are invalid.
inline utf8_unit utf8_read(const char * bytes, size_t size) {
    const auto at = [bytes](size_t index) { return static_cast<unsigned char>(bytes[index]); };
    const unsigned char lead = at(0);
    if (lead < 0x80) {
        return {1, true};
    }
    if (lead < 0xC2 || lead > 0xF4) {
        return {1, false};
    }
    const size_t length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    // The second byte decides on overlong forms, surrogates and the upper end.
    const unsigned char low = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
    const unsigned char high = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
    for (size_t index = 1; index < length; ++index) {
        const bool fits = index < size && (index == 1 ? at(1) >= low && at(1) <= high : (at(index) & 0xC0) == 0x80);
        if (!fits) {
            return {index, false};
        }
    }
    return {length, true};
}

/// Whether `byte` continues a character.
inline bool utf8_continues(char byte) {
    return (static_cast<unsigned char>(byte) & 0xC0) == 0x80;
}

}  // namespace cllama
