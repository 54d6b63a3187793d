#include "python_builtins.hpp"

#include "arithmetic.hpp"
#include "characters.hpp"
#include "checks.hpp"
#include "json_text.hpp"
#include "operators.hpp"
#include "python_text.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <unordered_map>
#include <unordered_set>

namespace cllama::chat {

namespace {

using operation = jinja::value (*)(const operands &);

bool is_list(const jinja::value & value) {
    return jinja::is_val<jinja::value_array>(value);
}

bool is_set(const operands & values, const char * key, size_t position) {
    const jinja::value flag = argument(values, key, position);
    return flag && flag->as_bool();
}

jinja::value text_value(jinja::string text) {
    return jinja::mk_val<jinja::value_string>(std::move(text));
}

jinja::value to_json(const operands & values) {
    if (values[0]->is_undefined()) {
        return nullptr;
    }
    json_style style;
    style.escapes_non_ascii = is_set(values, "ensure_ascii", 1);
    if (const jinja::value indent = argument(values, "indent", 2); checks::is_integer(indent)) {
        style.indent = std::max<int64_t>(indent->val_int, 0);
        style.item_separator = ",";
    }
    if (const jinja::value separators = argument(values, "separators", 3); separators && is_list(separators)) {
        if (separators->val_arr.size() != 2) {
            return nullptr;
        }
        style.item_separator = python_text(separators->val_arr[0]).str();
        style.key_separator = python_text(separators->val_arr[1]).str();
    }
    style.sorts_keys = is_set(values, "sort_keys", 4);
    return text_value(jinja::string(json_text(values[0], style)));
}

jinja::value as_text(const operands & values) {
    const jinja::value & value = values[0];
    const bool has_text = !is_text(value) && !value->is_undefined() && !value->val_func && !is_named(*value);
    return has_text ? text_value(python_text(value)) : nullptr;
}

/// The marks are set by `carry_marks`.
jinja::value joined(const operands & values) {
    if (!is_list(values[0]) || argument(values, "attribute", 2)) {
        return nullptr;
    }
    const jinja::value delimiter = argument(values, "d", 1);
    const std::string between = delimiter ? python_text(delimiter).str() : "";
    std::string text;
    for (size_t i = 0; i < values[0]->val_arr.size(); ++i) {
        text += i > 0 ? between : "";
        text += python_text(values[0]->val_arr[i]).str();
    }
    return text_value(jinja::string(text));
}

jinja::value length(const operands & values) {
    if (!is_text(values[0])) {
        return nullptr;
    }
    return jinja::mk_val<jinja::value_int>(static_cast<int64_t>(character_count(values[0]->val_str.str())));
}

/// Nothing but an undefined value has a default, unless all that counts as false shall have it.
jinja::value defaulted(const operands & values) {
    return values[0]->is_none() && !is_set(values, "boolean", 2) ? values[0] : nullptr;
}

jinja::value without(const operands & values, bool left, bool right) {
    const jinja::value set = argument(values, "chars", 1);
    if (!is_text(values[0]) || (set && !is_text(set))) {
        return nullptr;
    }
    return stripped(values[0]->val_str, set ? set->val_str.str() : white_space(), left, right);
}

jinja::value strip(const operands & values) {
    return without(values, true, true);
}

jinja::value strip_left(const operands & values) {
    return without(values, true, false);
}

jinja::value strip_right(const operands & values) {
    return without(values, false, true);
}

jinja::value words(const operands & values) {
    const bool has_words = is_text(values[0]) && values.size() == 1;
    return has_words ? jinja::mk_val<jinja::value_array>(words_of(values[0]->val_str)) : nullptr;
}

/// What a path such as "function.name" leads to.
jinja::value member(jinja::value value, const std::string & path) {
    jinja::value missing = jinja::mk_val<jinja::value_undefined>();
    size_t start = 0;
    while (start <= path.size()) {
        budget::current().step();
        const size_t end = std::min(path.find('.', start), path.size());
        if (!jinja::is_val<jinja::value_object>(value)) {
            return missing;
        }
        value = value->at(path.substr(start, end - start), missing);
        start = end + 1;
    }
    return value;
}

jinja::value mapped(const operands & values) {
    const jinja::value attribute = argument(values, "attribute", values.size());
    if (!is_list(values[0]) || !attribute || !is_text(attribute)) {
        return nullptr;
    }
    const jinja::value otherwise = argument(values, "default", values.size());
    const std::string path = attribute->val_str.str();
    if (path.find('.') == std::string::npos) {
        return nullptr;
    }
    auto result = jinja::mk_val<jinja::value_array>();
    for (const auto & element : values[0]->val_arr) {
        const jinja::value found = member(element, path);
        result->push_back(found->is_undefined() && otherwise ? otherwise : found);
    }
    return result;
}

/// An element, and what it is sorted by.
struct ranked {
    jinja::value key;
    jinja::value element;
};

/// Upper and lower case count as equal unless the template says otherwise.
jinja::value folded(const jinja::value & key, bool is_case_sensitive) {
    return is_text(key) && !is_case_sensitive ? text_value(jinja::string(key->val_str).lowercase()) : key;
}

jinja::value sorted(std::vector<ranked> entries, bool is_reversed) {
    const auto order = is_reversed ? jinja::value_compare_op::gt : jinja::value_compare_op::lt;
    std::stable_sort(entries.begin(), entries.end(), [order](const ranked & a, const ranked & b) {
        return jinja::value_compare(a.key, b.key, order);
    });
    auto result = jinja::mk_val<jinja::value_array>();
    for (auto & entry : entries) {
        result->push_back(std::move(entry.element));
    }
    return result;
}

jinja::value sort(const operands & values) {
    const jinja::value attribute = argument(values, "attribute", 3);
    if (!is_list(values[0]) || (attribute && !is_text(attribute))) {
        return nullptr;
    }
    const bool is_case_sensitive = is_set(values, "case_sensitive", 2);
    jinja::value missing = jinja::mk_val<jinja::value_undefined>();
    std::vector<ranked> entries;
    for (const auto & element : values[0]->val_arr) {
        if (attribute && !jinja::is_val<jinja::value_object>(element)) {
            return nullptr;
        }
        const jinja::value key = attribute ? element->at(attribute, missing) : element;
        entries.push_back({folded(key, is_case_sensitive), element});
    }
    return sorted(std::move(entries), is_set(values, "reverse", 1));
}

jinja::value sort_members(const operands & values) {
    if (!jinja::is_val<jinja::value_object>(values[0])) {
        return nullptr;
    }
    const jinja::value by = argument(values, "by", 2);
    const bool by_value = by && is_text(by) && by->val_str.str() == "value";
    const bool is_case_sensitive = is_set(values, "case_sensitive", 1);
    std::vector<ranked> entries;
    for (const auto & member : values[0]->val_obj) {
        const jinja::value & key = by_value ? member.second : member.first;
        entries.push_back({folded(key, is_case_sensitive), jinja::mk_val<jinja::value_tuple>(member)});
    }
    return sorted(std::move(entries), is_set(values, "reverse", 3));
}

jinja::value concatenated(const jinja::value & left, const jinja::value & right) {
    jinja::string text = python_text(left);
    return text_value(text.append(python_text(right)));
}

/// Membership where llama.cpp fails: of an undefined value, and of a list in a list.
jinja::value contained(const jinja::value & needle, const jinja::value & haystack, bool expected) {
    const bool is_sought = is_list(haystack) && (needle->is_undefined() || is_list(needle));
    const bool is_member = is_sought && std::any_of(haystack->val_arr.begin(), haystack->val_arr.end(),
                                                    [&](const auto & element) { return *needle == *element; });
    if (is_sought || (needle->is_undefined() && jinja::is_val<jinja::value_object>(haystack))) {
        return jinja::mk_val<jinja::value_bool>(is_member == expected);
    }
    return nullptr;
}

/// The attribute that a filter looks at; NULL when it looks at the elements themselves.
jinja::value attribute_of(const operands & values, size_t position) {
    const jinja::value attribute = argument(values, "attribute", position);
    return attribute && attribute->is_none() ? nullptr : attribute;
}

jinja::value sum(const operands & values) {
    const jinja::value attribute = attribute_of(values, 1);
    if (!is_list(values[0]) || (attribute && !is_text(attribute))) {
        return nullptr;
    }
    const jinja::value start = argument(values, "start", 2);
    jinja::value total = start ? start : jinja::mk_val<jinja::value_int>(0);
    for (const auto & element : values[0]->val_arr) {
        const jinja::value addend = attribute ? member(element, attribute->val_str.str()) : element;
        total = calculated("+", total, addend);
        if (!total) {
            return nullptr;
        }
    }
    return total;
}

/// What values have in common that Python takes for equal; empty for those that have no hash there.
std::string identity(const jinja::value & value) {
    if (is_text(value)) {
        return "text " + value->val_str.str();
    }
    if (is_real(value) && std::abs(real(value)) < 9e18 && std::floor(real(value)) == real(value)) {
        return std::to_string(static_cast<int64_t>(real(value)));
    }
    if (is_real(value)) {
        char digits[32];
        std::snprintf(digits, sizeof(digits), "%.17g", real(value));
        return digits;
    }
    if (is_whole(value)) {
        return std::to_string(whole(value));
    }
    return value->is_none() ? "none" : value->is_undefined() ? "undefined" : "";
}

jinja::value unique(const operands & values) {
    const jinja::value attribute = attribute_of(values, 2);
    if (!is_list(values[0]) || (attribute && !is_text(attribute))) {
        return nullptr;
    }
    const bool is_case_sensitive = is_set(values, "case_sensitive", 1);
    auto result = jinja::mk_val<jinja::value_array>();
    std::unordered_set<std::string> seen;
    for (const auto & element : values[0]->val_arr) {
        const jinja::value key = attribute ? member(element, attribute->val_str.str()) : element;
        const std::string name = identity(folded(key, is_case_sensitive));
        if (name.empty()) {
            return nullptr;
        }
        if (seen.insert(name).second) {
            result->push_back(element);
        }
    }
    return result;
}

/// Halves go to the even digit, as the number is and not as it is written.
jinja::value round(const operands & values) {
    static constexpr int64_t most_digits = 15;
    const jinja::value precision = argument(values, "precision", 1);
    const jinja::value method = argument(values, "method", 2);
    const bool is_number = is_real(values[0]) || is_whole(values[0]);
    if (!is_number || (precision && !checks::is_integer(precision)) || (method && !is_text(method))) {
        return nullptr;
    }
    const int64_t digits = precision ? precision->val_int : 0;
    const std::string way = method ? method->val_str.str() : "common";
    if (digits < 0 || digits > most_digits) {
        return nullptr;
    }
    if (way == "common" && is_whole(values[0])) {
        return jinja::mk_val<jinja::value_int>(whole(values[0]));
    }
    if (way == "common") {
        char text[400];
        std::snprintf(text, sizeof(text), "%.*f", static_cast<int>(digits), real(values[0]));
        return jinja::mk_val<jinja::value_float>(std::strtod(text, nullptr));
    }
    const double factor = std::pow(10.0, static_cast<double>(digits));
    const double scaled = real(values[0]) * factor;
    if (way != "ceil" && way != "floor") {
        return nullptr;
    }
    return jinja::mk_val<jinja::value_float>((way == "ceil" ? std::ceil(scaled) : std::floor(scaled)) / factor);
}

jinja::value power(const operands & values) {
    return values.size() < 2 ? nullptr : python_operator(POWER, values[0], values[1]);
}

}  // namespace

bool is_python_only(const std::string & name) {
    return name == "round" || name == "sum" || name == "unique" || name == POWER || name == "//";
}

jinja::value python_builtin(const std::string & name, const operands & values) {
    static const std::unordered_map<std::string, operation> table = {
        {"default", defaulted}, {"dictsort", sort_members}, {"join", joined},       {"length", length},
        {"lstrip", strip_left}, {"map", mapped},            {"round", round},       {"rstrip", strip_right},
        {"sort", sort},         {"split", words},           {"string", as_text},    {"strip", strip},
        {"sum", sum},           {"tojson", to_json},        {"unique", unique},     {POWER, power},
    };
    const auto found = table.find(name);
    return found == table.end() || values.empty() ? nullptr : found->second(values);
}

jinja::value python_operator(const std::string & name, const jinja::value & left, const jinja::value & right) {
    if (name == "~") {
        return concatenated(left, right);
    }
    if (name == "in" || name == "not in") {
        return contained(left, right, name == "in");
    }
    jinja::value result = calculated(name, left, right);
    if (!result && is_python_only(name)) {
        throw std::runtime_error(name + " of " + left->type() + " and " + right->type());
    }
    return result;
}

}  // namespace cllama::chat
