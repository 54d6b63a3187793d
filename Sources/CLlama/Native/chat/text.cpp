#include "text.hpp"

#include "../utf8.hpp"

#include <array>
#include <cstdio>

namespace cllama::chat {

std::string trimmed(const std::string & text) {
    static const char * const blanks = " \t\n\v\f\r";
    const size_t start = text.find_first_not_of(blanks);
    return start == std::string::npos ? "" : text.substr(start, text.find_last_not_of(blanks) - start + 1);
}

std::string valid_utf8(const std::string & text) {
    std::string result;
    result.reserve(text.size());
    for (size_t at = 0; at < text.size();) {
        const utf8_unit unit = utf8_read(text.data() + at, text.size() - at);
        if (unit.is_valid) {
            result.append(text, at, unit.length);
        } else {
            for (size_t i = 0; i < unit.length; ++i) {
                result += "\xEF\xBF\xBD";
            }
        }
        at += unit.length;
    }
    return result;
}

character read_character(const std::string & text, size_t at) {
    static constexpr std::array<unsigned char, 5> lead_masks = {0, 0x7F, 0x1F, 0x0F, 0x07};
    const utf8_unit unit = utf8_read(text.data() + at, text.size() - at);
    if (!unit.is_valid) {
        return {0xFFFD, unit.length};
    }
    uint32_t code = static_cast<unsigned char>(text[at]) & lead_masks[unit.length];
    for (size_t i = 1; i < unit.length; ++i) {
        code = (code << 6) | (static_cast<unsigned char>(text[at + i]) & 0x3F);
    }
    return {code, unit.length};
}

std::string hexadecimal(uint32_t number, int digits) {
    char buffer[16];
    std::snprintf(buffer, sizeof(buffer), "%0*x", digits, number);
    return buffer;
}

}  // namespace cllama::chat
