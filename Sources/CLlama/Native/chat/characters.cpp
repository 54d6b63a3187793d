#include "characters.hpp"

#include "../utf8.hpp"
#include "checks.hpp"
#include "provenance.hpp"

#include <algorithm>
#include <utility>

namespace cllama::chat {

namespace {

size_t length_at(const std::string & text, size_t at) {
    return utf8_read(text.data() + at, text.size() - at).length;
}

/// Where a character starts; the end of the text for one past the last.
size_t offset_of(const std::string & text, int64_t character) {
    size_t at = 0;
    for (; character > 0 && at < text.size(); --character) {
        at += length_at(text, at);
    }
    return at;
}

/// Where each character starts.
std::vector<size_t> all_offsets(const std::string & text) {
    budget::current().charge(text.size() * sizeof(size_t));
    std::vector<size_t> offsets;
    for (size_t at = 0; at < text.size(); at += length_at(text, at)) {
        offsets.push_back(at);
    }
    return offsets;
}

int64_t bound_or(const jinja::value & bound, int64_t otherwise, int64_t count, int64_t lowest, int64_t highest) {
    if (!bound || bound->is_none()) {
        return otherwise;
    }
    const int64_t index = bound->val_int;
    return index < 0 ? std::max(index < -count ? lowest : index + count, lowest) : std::min(index, highest);
}

/// Whether the character at `at` is one of `set`.
bool contains_at(const std::string & set, const std::string & text, size_t at) {
    const size_t length = length_at(text, at);
    size_t found = set.find(text.data() + at, 0, length);
    while (found != std::string::npos && utf8_continues(set[found])) {
        found = set.find(text.data() + at, found + 1, length);
    }
    return found != std::string::npos;
}

/// Where a piece of a text starts and ends.
using range = std::pair<size_t, size_t>;

std::vector<range> word_ranges(const std::string & text) {
    std::vector<range> ranges;
    bool is_inside = false;
    for (size_t at = 0; at < text.size(); at += length_at(text, at)) {
        const bool is_blank = contains_at(white_space(), text, at);
        if (!is_blank && !is_inside) {
            ranges.push_back({at, at});
        }
        if (!is_blank) {
            ranges.back().second = at + length_at(text, at);
        }
        is_inside = !is_blank;
    }
    return ranges;
}

jinja::value text_value(const jinja::string & text, size_t begin, size_t end) {
    jinja::value result = jinja::mk_val<jinja::value_string>();
    result->val_str.parts = parts_between(text, begin, end);
    return result;
}

std::vector<jinja::value> pieces(const jinja::string & text, const std::vector<range> & ranges) {
    const double part_bytes = static_cast<double>(text.parts.size() * sizeof(jinja::string_part));
    budget::current().require_effort(static_cast<double>(ranges.size()) * part_bytes);
    budget::current().charge(ranges.size() * VALUE_BYTES + text.length());
    std::vector<jinja::value> result;
    for (const auto & [begin, end] : ranges) {
        result.push_back(text_value(text, begin, end));
    }
    return result;
}

bool is_bound(const jinja::value & bound) {
    return !bound || bound->is_none() || checks::is_integer(bound);
}

}  // namespace

size_t character_count(const std::string & text) {
    size_t count = 0;
    for (size_t at = 0; at < text.size(); at += length_at(text, at)) {
        ++count;
    }
    return count;
}

jinja::value character_at(const jinja::string & text, int64_t index) {
    const std::string bytes = text.str();
    const int64_t count = static_cast<int64_t>(character_count(bytes));
    if (index < -count || index >= count) {
        return jinja::mk_val<jinja::value_undefined>();
    }
    const size_t at = offset_of(bytes, index < 0 ? index + count : index);
    return text_value(text, at, at + length_at(bytes, at));
}

jinja::value characters_between(const jinja::string & text, const jinja::value & start, const jinja::value & stop,
                                const jinja::value & step) {
    const int64_t width = step && checks::is_integer(step) ? step->val_int : 1;
    if (!is_bound(start) || !is_bound(stop) || !is_bound(step) || width == 0) {
        return nullptr;
    }
    const std::string bytes = text.str();
    const int64_t count = static_cast<int64_t>(character_count(bytes));
    const int64_t lowest = width > 0 ? 0 : -1;
    const int64_t highest = width > 0 ? count : count - 1;
    const int64_t first = bound_or(start, width > 0 ? lowest : highest, count, lowest, highest);
    const int64_t last = bound_or(stop, width > 0 ? highest : lowest, count, lowest, highest);
    if (width == 1) {
        const size_t begin = offset_of(bytes, first);
        return text_value(text, begin, std::max(begin, offset_of(bytes, last)));
    }
    const std::vector<size_t> offsets = all_offsets(bytes);
    std::string picked;
    for (int64_t i = first; width > 0 ? i < last : i > last; i += width) {
        const size_t at = offsets[static_cast<size_t>(i)];
        picked.append(bytes, at, length_at(bytes, at));
    }
    return jinja::mk_val<jinja::value_string>(jinja::string(picked, has_input(text)));
}

std::vector<jinja::value> characters_of(const jinja::string & text) {
    const std::string bytes = text.str();
    budget::current().require_list(static_cast<double>(character_count(bytes)));
    std::vector<range> ranges;
    for (size_t at = 0; at < bytes.size(); at += length_at(bytes, at)) {
        ranges.push_back({at, at + length_at(bytes, at)});
    }
    return pieces(text, ranges);
}

std::vector<jinja::value> words_of(const jinja::string & text) {
    return pieces(text, word_ranges(text.str()));
}

jinja::value stripped(const jinja::string & text, const std::string & set, bool left, bool right) {
    const std::string bytes = text.str();
    budget::current().require_effort(static_cast<double>(bytes.size()) * static_cast<double>(set.size()));
    size_t begin = 0;
    while (left && begin < bytes.size() && contains_at(set, bytes, begin)) {
        begin += length_at(bytes, begin);
    }
    size_t end = bytes.size();
    while (right && end > begin) {
        size_t last = end - 1;
        while (last > begin && utf8_continues(bytes[last])) {
            --last;
        }
        if (!contains_at(set, bytes, last)) {
            break;
        }
        end = last;
    }
    return text_value(text, begin, end);
}

const std::string & white_space() {
    static const std::string characters =
        "\t\n\v\f\r\x1C\x1D\x1E\x1F \u0085\u00A0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009"
        "\u200A\u2028\u2029\u202F\u205F\u3000";
    return characters;
}

}  // namespace cllama::chat
