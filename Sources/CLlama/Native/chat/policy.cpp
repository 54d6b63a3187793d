#include "policy.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <unordered_map>

namespace cllama::chat {

namespace {

using check = void (*)(const operands &);

double length_of(const jinja::value & value) {
    return value ? static_cast<double>(value->val_str.length()) : 0;
}

bool is_integer(const jinja::value & value) {
    return value && jinja::is_val<jinja::value_int>(value);
}

/// Finding `pattern` compares at most this many bytes.
double search_effort(double text, double pattern) {
    return text < pattern ? 0 : (text - pattern + 1) * std::max(pattern, 1.0);
}

size_t occurrences(const std::string & text, const std::string & pattern) {
    size_t found = 0;
    for (size_t at = text.find(pattern); at != std::string::npos; at = text.find(pattern, at + pattern.size())) {
        ++found;
    }
    return found;
}

void allow(const operands &) {}

void check_all(const operands & values) {
    for (const auto & value : values) {
        measure(value);
    }
}

void check_range(const operands & values) {
    double bounds[3] = {0, 0, 1};
    if (values.empty() || values.size() > 3 || !std::all_of(values.begin(), values.end(), is_integer)) {
        return;
    }
    for (size_t i = 0; i < values.size(); ++i) {
        bounds[values.size() == 1 ? 1 : i] = static_cast<double>(values[i]->val_int);
    }
    if (bounds[2] != 0) {
        const double elements = (bounds[1] - bounds[0]) / bounds[2];
        budget::current().require_list(elements);
        budget::current().charge(static_cast<size_t>(std::max(elements, 0.0)) * VALUE_BYTES);
    }
    // The counter may overflow only after the last element.
    if (std::abs(bounds[1]) + std::abs(bounds[2]) > 9e18) {
        throw std::runtime_error("range() bounds are too large");
    }
}

void check_items(const operands & values) {
    if (!values.empty()) {
        budget::current().charge(values[0]->val_obj.size() * VALUE_BYTES);
    }
}

void check_replace(const operands & values) {
    if (values.size() < 3 || !std::all_of(values.begin(), values.begin() + 3, is_text)) {
        return;
    }
    auto & spending = budget::current();
    const std::string text = values[0]->val_str.str();
    const std::string old_text = values[1]->val_str.str();
    const double added = length_of(values[2]);
    const double length = static_cast<double>(text.size());
    if (old_text.empty()) {
        spending.require_text(length + (length + 1) * added);
        return;
    }
    const double removed = static_cast<double>(old_text.size());
    spending.require_effort(search_effort(length, removed));
    const double times = static_cast<double>(occurrences(text, old_text));
    spending.require_text(length + times * std::max(added - removed, 0.0));
    if (added != removed) {
        spending.require_effort(times * (length + times * added));
    }
}

void check_split(const operands & values) {
    if (values.empty() || !is_text(values[0])) {
        return;
    }
    auto & spending = budget::current();
    const std::string text = values[0]->val_str.str();
    const std::string delimiter = values.size() > 1 && is_text(values[1]) ? values[1]->val_str.str() : " ";
    if (delimiter.empty()) {
        return;
    }
    const double length = static_cast<double>(text.size());
    spending.require_effort(search_effort(length, static_cast<double>(delimiter.size())));
    const double pieces = static_cast<double>(occurrences(text, delimiter));
    spending.require_list(pieces);
    spending.require_effort(pieces * length);
    spending.charge(static_cast<size_t>(pieces) * VALUE_BYTES + text.size());
}

void check_indent(const operands & values) {
    if (values.empty() || !is_text(values[0])) {
        return;
    }
    const std::string text = values[0]->val_str.str();
    const double lines = 2 + static_cast<double>(std::count(text.begin(), text.end(), '\n'));
    const jinja::value width = argument(values, "width", 1);
    const double columns = is_integer(width) ? static_cast<double>(width->val_int) : std::max(length_of(width), 4.0);
    budget::current().require_text(static_cast<double>(text.size()) + lines * columns);
}

/// Stripping erases emptied parts from the front, one after the other.
void check_strip(const operands & values) {
    if (values.empty()) {
        return;
    }
    const auto & parts = values[0]->val_str.parts;
    const jinja::value set = argument(values, "chars", 1);
    const std::string stripped = set && is_text(set) ? set->val_str.str() : " \t\n\v\f\r";
    const auto kept = std::find_if(parts.begin(), parts.end(), [&](const auto & part) {
        return part.val.find_first_not_of(stripped) != std::string::npos;
    });
    const double emptied = static_cast<double>(kept - parts.begin());
    budget::current().require_effort(emptied * static_cast<double>(parts.size() * sizeof(jinja::string_part)));
}

/// A step near the smallest integer would make the index overflow and the loop endless.
void check_slice(const operands & values) {
    if (values.size() > 3 && is_integer(values[3]) && std::abs(static_cast<double>(values[3]->val_int)) > 1e15) {
        throw std::runtime_error("slice step is out of range");
    }
}

void check_to_json(const operands & values) {
    if (values.empty()) {
        return;
    }
    const extent size = measure(values[0]);
    const jinja::value indent = argument(values, "indent", 2);
    const jinja::value separators = argument(values, "separators", 3);
    const double columns = is_integer(indent) ? static_cast<double>(std::max<int64_t>(indent->val_int, 0)) : 0;
    const double separator_bytes = separators ? static_cast<double>(measure(separators).bytes) : 0;
    const double per_value = columns * static_cast<double>(size.depth + 1) + separator_bytes;
    budget::current().require_text(static_cast<double>(size.values) * per_value + static_cast<double>(size.bytes));
}

void check_join(const operands & values) {
    if (values.empty()) {
        return;
    }
    const extent size = measure(values[0]);
    const jinja::value delimiter = argument(values, "d", 1);
    const double between = delimiter ? static_cast<double>(measure(delimiter).bytes) : 0;
    const double elements = static_cast<double>(values[0]->val_arr.size());
    budget::current().require_text(static_cast<double>(size.bytes) + elements * between);
}

void check_append(const operands & values) {
    if (values.empty() || !jinja::is_val<jinja::value_array>(values[0])) {
        return;
    }
    auto & spending = budget::current();
    spending.require_list(static_cast<double>(values[0]->val_arr.size()) + 1);
    spending.charge(2 * sizeof(jinja::value));
    spending.note_changed(values[0]);
}

void check_object(const operands & values) {
    for (const auto & value : values) {
        if (std::max(value->val_arr.size(), value->val_obj.size()) > MAX_REQUEST_KEYS) {
            budget::current().exhaust("The chat template made an object of more than " +
                                      std::to_string(MAX_REQUEST_KEYS) + " keys.");
        }
        for (const auto & pair : value->val_arr) {
            if (!pair->val_arr.empty()) {
                measure(pair->val_arr.front());
            }
        }
    }
}

void check_in(const jinja::value & needle, const jinja::value & haystack) {
    auto & spending = budget::current();
    if (is_text(haystack)) {
        spending.require_effort(search_effort(length_of(haystack), length_of(needle)));
        return;
    }
    const extent sought = measure(needle);
    if (haystack->val_arr.empty()) {
        return;
    }
    const extent searched = measure(haystack);
    const double per_element = static_cast<double>(sought.bytes + 100 * sought.values);
    spending.require_effort(static_cast<double>(searched.values) * per_element);
}

void check_in_test(const operands & values) {
    if (values.size() >= 2) {
        check_in(values[0], values[1]);
    }
}

/// Division by zero ends the process.
void check_divisor(const jinja::value & divisor) {
    if (is_integer(divisor) && (divisor->val_int == 0 || divisor->val_int == -1)) {
        throw std::runtime_error("divisibleby needs a divisor other than " + std::to_string(divisor->val_int));
    }
}

void check_divisible_test(const operands & values) {
    if (values.size() >= 2) {
        check_divisor(values[1]);
    }
}

/// `select` and its relatives run a test on each element.
void check_select(const operands & values) {
    if (values.size() < 3) {
        return;
    }
    const extent size = measure(values[0]);
    const extent extra = measure(values.back());
    const jinja::value & test = values[values.size() - 2];
    const std::string name = is_text(test) ? test->val_str.str() : "";
    const double per_element = static_cast<double>(extra.bytes + 100 * extra.values);
    double effort = static_cast<double>(size.values) * per_element;
    if (name == "in") {
        effort += static_cast<double>(size.bytes) * std::max(per_element, 1.0);
    } else if (name == "divisibleby") {
        check_divisor(values.back());
    }
    budget::current().require_effort(effort);
}

void check_map(const operands & values) {
    if (!values.empty()) {
        const jinja::value attribute = argument(values, "attribute", 1);
        const double elements = static_cast<double>(values[0]->val_arr.size());
        budget::current().require_effort(elements * (attribute ? length_of(attribute) : 0));
    }
}

enum class kind { number, text, other };

kind kind_of(const jinja::value & value) {
    if (is_text(value)) {
        return kind::text;
    }
    if (jinja::is_val<jinja::value_float>(value) && std::isnan(value->val_flt)) {
        throw std::runtime_error("a list with not-a-number values has no order");
    }
    return is_integer(value) || jinja::is_val<jinja::value_float>(value) ? kind::number : kind::other;
}

/// What `sort` orders `element` by.
jinja::value sort_key(const jinja::value & element, const jinja::value & attribute) {
    if (!attribute) {
        return element;
    }
    jinja::value missing = jinja::mk_val<jinja::value_undefined>();
    if (jinja::is_val<jinja::value_object>(element)) {
        return element->at(attribute, missing);
    }
    if (!jinja::is_val<jinja::value_array>(element)) {
        return missing;
    }
    const std::string digits = is_text(attribute) ? attribute->val_str.str() : "";
    const bool is_index = !digits.empty() && digits.size() < 10 &&
                          digits.find_first_not_of("0123456789") == std::string::npos;
    return is_index ? element->at(static_cast<int64_t>(std::stoll(digits)), missing) : element->at(attribute, missing);
}

/// Sorting by an order that contradicts itself makes the standard library run past the end of the list.
void require_one_order(const std::vector<jinja::value> & keys) {
    for (const auto & key : keys) {
        if (kind_of(key) != kind_of(keys.front())) {
            throw std::runtime_error("only a list of numbers or a list of strings can be sorted");
        }
    }
}

void require_sort_effort(size_t elements, const extent & size) {
    const double count = static_cast<double>(elements);
    budget::current().require_effort(2 * count * std::log2(count + 2) * static_cast<double>(size.longest + 100));
}

void check_sort(const operands & values) {
    if (values.empty()) {
        return;
    }
    const jinja::value attribute = argument(values, "attribute", 3);
    std::vector<jinja::value> keys;
    for (const auto & element : values[0]->val_arr) {
        keys.push_back(sort_key(element, attribute));
    }
    require_one_order(keys);
    require_sort_effort(keys.size(), measure(values[0]));
}

void check_extreme(const operands & values) {
    if (!values.empty()) {
        require_sort_effort(values[0]->val_arr.size(), measure(values[0]));
    }
}

void check_dict_sort(const operands & values) {
    if (values.empty()) {
        return;
    }
    const jinja::value by = argument(values, "by", 2);
    const bool by_value = by && is_text(by) && by->val_str.str() == "value";
    std::vector<jinja::value> keys;
    for (const auto & [key, value] : values[0]->val_obj) {
        keys.push_back(by_value ? value : key);
    }
    require_one_order(keys);
    require_sort_effort(keys.size(), measure(values[0]));
}

/// Builtins that are not here are new to this package: whatever they do, they get only values of bounded size.
const std::unordered_map<std::string, check> & checks() {
    static const std::unordered_map<std::string, check> table = {
        // Constant cost, or linear in a value that exists already.
        {"abs", allow}, {"capitalize", allow}, {"default", allow}, {"endswith", allow}, {"first", allow},
        {"float", allow}, {"get", allow}, {"int", allow}, {"keys", allow}, {"last", allow},
        {"length", allow}, {"list", allow}, {"lower", allow}, {"pop", allow}, {"raise_exception", allow},
        {"reverse", allow}, {"startswith", allow}, {"strftime_now", allow}, {"title", allow}, {"upper", allow},
        {"values", allow},
        {"append", check_append}, {"dict", check_object}, {"namespace", check_object},
        {"dictsort", check_dict_sort}, {"format", check_all}, {"indent", check_indent}, {"items", check_items}, {"join", check_join},
        {"map", check_map}, {"max", check_extreme}, {"min", check_extreme}, {"range", check_range},
        {"reject", check_select}, {"rejectattr", check_select}, {"select", check_select},
        {"selectattr", check_select}, {"replace", check_replace}, {"rsplit", check_split}, {"split", check_split},
        {"slice", check_slice}, {"sort", check_sort}, {"strip", check_strip}, {"lstrip", check_strip},
        {"rstrip", check_strip}, {"safe", check_to_json}, {"string", check_to_json}, {"tojson", check_to_json},
        {"test_is_defined", allow}, {"test_is_undefined", allow}, {"test_is_none", allow},
        {"test_is_string", allow}, {"test_is_mapping", allow}, {"test_is_iterable", allow},
        {"test_is_sequence", allow}, {"test_is_boolean", allow}, {"test_is_true", allow}, {"test_is_false", allow},
        {"test_is_number", allow}, {"test_is_integer", allow}, {"test_is_float", allow}, {"test_is_callable", allow},
        {"test_is_in", check_in_test}, {"test_is_divisibleby", check_divisible_test},
    };
    return table;
}

}  // namespace

void check_builtin(const std::string & name, const operands & values) {
    const auto found = checks().find(name);
    (found == checks().end() ? check_all : found->second)(values);
}

void check_operator(const std::string & name, const jinja::value & left, const jinja::value & right) {
    auto & spending = budget::current();
    if (name == "*") {
        const jinja::value & text = is_text(left) ? left : right;
        const jinja::value & times = is_text(left) ? right : left;
        if (is_text(text) && is_integer(times) && times->val_int > 0) {
            const size_t parts = text->val_str.parts.size() * sizeof(jinja::string_part);
            const double size = length_of(text) + static_cast<double>(parts);
            spending.require_text(size * static_cast<double>(times->val_int));
        }
    } else if (name == "in" || name == "not in") {
        check_in(left, right);
    } else if (name == "+" && is_container(left) && is_container(right)) {
        spending.require_list(static_cast<double>(left->val_arr.size() + right->val_arr.size()));
    } else if (is_container(left) || is_container(right)) {
        measure(left);
        measure(right);
    }
}

}  // namespace cllama::chat
