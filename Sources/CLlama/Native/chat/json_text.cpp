#include "json_text.hpp"

#include "python_text.hpp"
#include "text.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace cllama::chat {

namespace {

std::string escaped_in_json(uint32_t code) {
    switch (code) {
        case '"': return "\\\"";
        case '\\': return "\\\\";
        case '\b': return "\\b";
        case '\f': return "\\f";
        case '\n': return "\\n";
        case '\r': return "\\r";
        case '\t': return "\\t";
        default: break;
    }
    if (code < 0x10000) {
        return "\\u" + hexadecimal(code, 4);
    }
    // Two surrogates.
    const uint32_t rest = code - 0x10000;
    return "\\u" + hexadecimal(0xD800 + (rest >> 10), 4) + "\\u" + hexadecimal(0xDC00 + (rest & 0x3FF), 4);
}

std::string quoted_in_json(const std::string & text, bool escapes_non_ascii) {
    std::string result = "\"";
    for (size_t at = 0; at < text.size();) {
        const auto [code, length] = read_character(text, at);
        const bool is_special = code < 0x20 || code == '"' || code == '\\';
        if (is_special || (escapes_non_ascii && code > 0x7E)) {
            result += escaped_in_json(code);
        } else {
            result.append(text, at, length);
        }
        at += length;
    }
    return result + '"';
}

using members = std::vector<std::pair<jinja::value, jinja::value>>;

/// Writes a value and keeps track of the level.
class json_writer {
  public:
    explicit json_writer(const json_style & style) : style_(style) {}

    std::string result;

    void write(const jinja::value & value) {
        if (jinja::is_val<jinja::value_array>(value)) {
            write_list(value->val_arr);
        } else if (jinja::is_val<jinja::value_object>(value)) {
            write_object(value->val_obj);
        } else if (is_text(value)) {
            result += quoted_in_json(value->val_str.str(), style_.escapes_non_ascii);
        } else if (jinja::is_val<jinja::value_bool>(value)) {
            result += value->as_bool() ? "true" : "false";
        } else if (jinja::is_val<jinja::value_int>(value)) {
            result += std::to_string(value->val_int);
        } else if (jinja::is_val<jinja::value_float>(value)) {
            write_number(value->val_flt);
        } else {
            result += "null";
        }
    }

  private:
    const json_style & style_;
    size_t level_ = 0;

    void write_number(double number) {
        if (std::isfinite(number)) {
            result += number_text(number);
        } else {
            result += std::isnan(number) ? "NaN" : number < 0 ? "-Infinity" : "Infinity";
        }
    }

    void start_line() {
        if (style_.indent >= 0) {
            result += '\n';
            result.append(level_ * static_cast<size_t>(style_.indent), ' ');
        }
    }

    void write_list(const std::vector<jinja::value> & elements) {
        result += '[';
        ++level_;
        for (size_t i = 0; i < elements.size(); ++i) {
            result += i > 0 ? style_.item_separator : "";
            start_line();
            write(elements[i]);
        }
        close(elements.empty(), ']');
    }

    void write_object(const members & unsorted) {
        members sorted;
        if (style_.sorts_keys) {
            sorted = unsorted;
            std::stable_sort(sorted.begin(), sorted.end(), [](const auto & a, const auto & b) {
                return python_text(a.first).str() < python_text(b.first).str();
            });
        }
        write_members(style_.sorts_keys ? sorted : unsorted);
    }

    void write_members(const members & all) {
        result += '{';
        ++level_;
        for (size_t i = 0; i < all.size(); ++i) {
            result += i > 0 ? style_.item_separator : "";
            start_line();
            write_key(all[i].first);
            result += style_.key_separator;
            write(all[i].second);
        }
        close(all.empty(), '}');
    }

    /// Keys are texts in JSON; other scalars become the text that JSON has for them.
    void write_key(const jinja::value & key) {
        result += is_text(key) ? "" : "\"";
        write(key);
        result += is_text(key) ? "" : "\"";
    }

    void close(bool is_empty, char bracket) {
        --level_;
        if (!is_empty) {
            start_line();
        }
        result += bracket;
    }
};

}  // namespace

std::string json_text(const jinja::value & value, const json_style & style) {
    json_writer writer(style);
    writer.write(value);
    return std::move(writer.result);
}

}  // namespace cllama::chat
