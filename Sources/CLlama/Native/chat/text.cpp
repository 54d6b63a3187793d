#include "text.hpp"

#include "../utf8.hpp"

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

}  // namespace cllama::chat
