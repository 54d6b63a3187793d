#include "utf8.hpp"

#include <cstddef>

namespace cllama::chat {

namespace {

unsigned byte_at(const std::string & text, size_t at) {
    return at < text.size() ? static_cast<unsigned char>(text[at]) : 0;
}

/// Bytes of the character that a lead byte announces; 0 when no character starts with it.
size_t announced_length(unsigned lead) {
    if (lead < 0x80) {
        return 1;
    }
    if (lead >= 0xC2 && lead <= 0xDF) {
        return 2;
    }
    if (lead >= 0xE0 && lead <= 0xEF) {
        return 3;
    }
    return lead >= 0xF0 && lead <= 0xF4 ? 4 : 0;
}

/// Overlong forms, surrogates and code points past U+10FFFF show in the second byte.
bool fits_lead(unsigned lead, unsigned second) {
    switch (lead) {
        case 0xE0: return second >= 0xA0;
        case 0xED: return second <= 0x9F;
        case 0xF0: return second >= 0x90;
        case 0xF4: return second <= 0x8F;
        default: return true;
    }
}

/// The length of the character at `at`, or 0 when there is none.
size_t character_length(const std::string & text, size_t at) {
    const unsigned lead = byte_at(text, at);
    const size_t length = announced_length(lead);
    for (size_t i = 1; i < length; ++i) {
        if ((byte_at(text, at + i) & 0xC0) != 0x80) {
            return 0;
        }
    }
    return length < 2 || fits_lead(lead, byte_at(text, at + 1)) ? length : 0;
}

}  // namespace

std::string valid_utf8(const std::string & text) {
    std::string result;
    result.reserve(text.size());
    for (size_t at = 0; at < text.size();) {
        const size_t length = character_length(text, at);
        if (length == 0) {
            result += "\xEF\xBF\xBD";
            at += 1;
        } else {
            result.append(text, at, length);
            at += length;
        }
    }
    return result;
}

}  // namespace cllama::chat
