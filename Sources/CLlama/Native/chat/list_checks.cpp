#include "checks.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace cllama::chat::checks {

namespace {

/// Division by zero ends the process.
void check_divisor(const jinja::value & divisor) {
    if (is_integer(divisor) && (divisor->val_int == 0 || divisor->val_int == -1)) {
        throw std::runtime_error("divisibleby needs a divisor other than " + std::to_string(divisor->val_int));
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

}  // namespace

bool is_integer(const jinja::value & value) {
    return value && jinja::is_val<jinja::value_int>(value);
}

void any(const operands & values) {
    for (const auto & value : values) {
        measure(value);
    }
}

void range(const operands & values) {
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

void items(const operands & values) {
    if (!values.empty()) {
        budget::current().charge(values[0]->val_obj.size() * VALUE_BYTES);
    }
}

/// A step near the smallest integer would make the index overflow and the loop endless.
void slice(const operands & values) {
    if (values.size() > 3 && is_integer(values[3]) && std::abs(static_cast<double>(values[3]->val_int)) > 1e15) {
        throw std::runtime_error("slice step is out of range");
    }
}

void append(const operands & values) {
    if (values.empty() || !jinja::is_val<jinja::value_array>(values[0])) {
        return;
    }
    auto & spending = budget::current();
    spending.require_list(static_cast<double>(values[0]->val_arr.size()) + 1);
    spending.charge(2 * sizeof(jinja::value));
    spending.note_changed(values[0]);
}

void object(const operands & values) {
    for (const auto & value : values) {
        if (std::max(value->val_arr.size(), value->val_obj.size()) > MAX_OBJECT_KEYS) {
            budget::current().exhaust("The chat template made an object of more than " +
                                      std::to_string(MAX_OBJECT_KEYS) + " keys.");
        }
        for (const auto & pair : value->val_arr) {
            if (!pair->val_arr.empty()) {
                measure(pair->val_arr.front());
            }
        }
    }
}

/// `select` and its relatives run a test on each element.
void select(const operands & values) {
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

void map(const operands & values) {
    if (!values.empty()) {
        const jinja::value attribute = argument(values, "attribute", 1);
        const double elements = static_cast<double>(values[0]->val_arr.size());
        budget::current().require_effort(elements * (attribute ? length_of(attribute) : 0));
    }
}

void sort(const operands & values) {
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

void dict_sort(const operands & values) {
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

void extreme(const operands & values) {
    if (!values.empty()) {
        require_sort_effort(values[0]->val_arr.size(), measure(values[0]));
    }
}

void divisible(const operands & values) {
    if (values.size() >= 2) {
        check_divisor(values[1]);
    }
}

void contained(const operands & values) {
    if (values.size() < 2) {
        return;
    }
    const jinja::value & needle = values[0];
    const jinja::value & haystack = values[1];
    auto & spending = budget::current();
    if (is_text(haystack)) {
        spending.require_effort(search_effort(length_of(haystack), length_of(needle)));
        return;
    }
    const extent sought = measure(needle);
    if (!haystack->val_arr.empty()) {
        const double per_element = static_cast<double>(sought.bytes + 100 * sought.values);
        spending.require_effort(static_cast<double>(measure(haystack).values) * per_element);
    }
}

}  // namespace cllama::chat::checks
