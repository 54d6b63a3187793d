#include "python_text.hpp"

#include "text.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <utility>

namespace cllama::chat {

namespace {

/// Digits without sign and point, and the power of ten of the first one.
struct decimal {
    std::string digits;
    int exponent;
};

decimal shortest_decimal(double magnitude) {
    // Any 15 digits survive in a number, unless it is so small that it has fewer itself; 17 digits tell all apart.
    constexpr int surviving_digits = 15;
    constexpr int sufficient_digits = 17;
    char buffer[40];
    for (int digits = std::isnormal(magnitude) ? surviving_digits : 1; digits <= sufficient_digits; ++digits) {
        std::snprintf(buffer, sizeof(buffer), "%.*e", digits - 1, magnitude);
        if (std::strtod(buffer, nullptr) == magnitude) {
            break;
        }
    }
    const std::string text = buffer;
    const size_t mark = text.find('e');
    decimal result{text.substr(0, mark), std::atoi(text.c_str() + mark + 1)};
    // The point is another character in some locales.
    const auto is_point = [](char c) { return c < '0' || c > '9'; };
    result.digits.erase(std::remove_if(result.digits.begin(), result.digits.end(), is_point), result.digits.end());
    result.digits.erase(std::max<size_t>(result.digits.find_last_not_of('0') + 1, 1));
    return result;
}

std::string with_exponent(const decimal & number) {
    const std::string fraction = number.digits.size() > 1 ? "." + number.digits.substr(1) : "";
    char exponent[16];
    std::snprintf(exponent, sizeof(exponent), "e%+03d", number.exponent);
    return number.digits.substr(0, 1) + fraction + exponent;
}

std::string with_point(decimal number) {
    if (number.exponent < 0) {
        return "0." + std::string(static_cast<size_t>(-number.exponent - 1), '0') + number.digits;
    }
    const size_t whole = static_cast<size_t>(number.exponent) + 1;
    if (number.digits.size() <= whole) {
        return number.digits + std::string(whole - number.digits.size(), '0') + ".0";
    }
    return number.digits.insert(whole, ".");
}

/// Controls, blanks other than the space, formatting characters and private ones, as far as they are assigned.
bool is_printable(uint32_t code) {
    static constexpr std::pair<uint32_t, uint32_t> others[] = {
        {0x00, 0x1F},       {0x7F, 0xA0},       {0xAD, 0xAD},       {0x600, 0x605},     {0x61C, 0x61C},
        {0x6DD, 0x6DD},     {0x70F, 0x70F},     {0x890, 0x891},     {0x8E2, 0x8E2},     {0x1680, 0x1680},
        {0x180E, 0x180E},   {0x2000, 0x200F},   {0x2028, 0x202F},   {0x205F, 0x206F},   {0x3000, 0x3000},
        {0xE000, 0xF8FF},   {0xFEFF, 0xFEFF},   {0xFFF9, 0xFFFB},   {0x110BD, 0x110BD}, {0x110CD, 0x110CD},
        {0x13430, 0x1343F}, {0x1BCA0, 0x1BCA3}, {0x1D173, 0x1D17A}, {0xE0001, 0xE007F}, {0xF0000, 0x10FFFF},
    };
    return std::none_of(std::begin(others), std::end(others), [code](const auto & range) {
        return range.first <= code && code <= range.second;
    });
}

std::string escaped_in_python(uint32_t code) {
    switch (code) {
        case '\n': return "\\n";
        case '\r': return "\\r";
        case '\t': return "\\t";
        default: break;
    }
    return code < 0x100 ? "\\x" + hexadecimal(code, 2)
           : code < 0x10000 ? "\\u" + hexadecimal(code, 4) : "\\U" + hexadecimal(code, 8);
}

/// A text in the quotes that need the fewest escapes.
std::string quoted_in_python(const std::string & text) {
    const bool has_single = text.find('\'') != std::string::npos;
    const char quote = has_single && text.find('"') == std::string::npos ? '"' : '\'';
    std::string result(1, quote);
    for (size_t at = 0; at < text.size();) {
        const auto [code, length] = read_character(text, at);
        if (text[at] == quote || text[at] == '\\') {
            result += '\\';
            result += text[at];
        } else if (is_printable(code)) {
            result.append(text, at, length);
        } else {
            result += escaped_in_python(code);
        }
        at += length;
    }
    return result + quote;
}

bool is_list(const jinja::value & value) {
    return jinja::is_val<jinja::value_array>(value);
}

bool is_object(const jinja::value & value) {
    return jinja::is_val<jinja::value_object>(value);
}

/// A value inside a list or an object.
void append_in_python(std::string & result, const jinja::value & value) {
    if (is_text(value)) {
        result += quoted_in_python(value->val_str.str());
    } else if (is_list(value)) {
        const bool is_tuple = value->is_immutable();
        result += is_tuple ? "(" : "[";
        for (size_t i = 0; i < value->val_arr.size(); ++i) {
            result += i > 0 ? ", " : "";
            append_in_python(result, value->val_arr[i]);
        }
        result += is_tuple && value->val_arr.size() == 1 ? "," : "";
        result += is_tuple ? ")" : "]";
    } else if (is_object(value)) {
        result += "{";
        for (size_t i = 0; i < value->val_obj.size(); ++i) {
            result += i > 0 ? ", " : "";
            append_in_python(result, value->val_obj[i].first);
            result += ": ";
            append_in_python(result, value->val_obj[i].second);
        }
        result += "}";
    } else if (value->is_undefined()) {
        result += "Undefined";
    } else {
        result += python_text(value).str();
    }
}

}  // namespace

std::string number_text(double number) {
    budget::current().step();
    if (std::isnan(number)) {
        return "nan";
    }
    const std::string sign = std::signbit(number) ? "-" : "";
    if (std::isinf(number)) {
        return sign + "inf";
    }
    const decimal shortest = shortest_decimal(std::abs(number));
    const bool has_point = -4 <= shortest.exponent && shortest.exponent < 16;
    return sign + (has_point ? with_point(shortest) : with_exponent(shortest));
}

jinja::string python_text(const jinja::value & value) {
    if (is_text(value)) {
        return value->val_str;
    }
    if (is_list(value) || is_object(value)) {
        std::string text;
        append_in_python(text, value);
        return jinja::string(text, measure(value).has_input);
    }
    if (jinja::is_val<jinja::value_bool>(value)) {
        return jinja::string(std::string(value->as_bool() ? "True" : "False"));
    }
    if (jinja::is_val<jinja::value_int>(value)) {
        return jinja::string(std::to_string(value->val_int));
    }
    if (jinja::is_val<jinja::value_float>(value)) {
        return jinja::string(number_text(value->val_flt));
    }
    return value->is_none() ? jinja::string(std::string("None")) : jinja::string();
}

}  // namespace cllama::chat
