#include "checks.hpp"

#include <algorithm>
#include <stdexcept>

namespace cllama::chat::checks {

namespace {

size_t occurrences(const std::string & text, const std::string & pattern) {
    size_t found = 0;
    for (size_t at = text.find(pattern); at != std::string::npos; at = text.find(pattern, at + pattern.size())) {
        ++found;
    }
    return found;
}

}  // namespace

double length_of(const jinja::value & value) {
    return value ? static_cast<double>(value->val_str.length()) : 0;
}

double search_effort(double text, double pattern) {
    return text < pattern ? 0 : (text - pattern + 1) * std::max(pattern, 1.0);
}

void replace(const operands & values) {
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

void split(const operands & values) {
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

void indent(const operands & values) {
    if (values.empty() || !is_text(values[0])) {
        return;
    }
    const std::string text = values[0]->val_str.str();
    const double lines = 2 + static_cast<double>(std::count(text.begin(), text.end(), '\n'));
    const jinja::value width = argument(values, "width", 1);
    if (is_integer(width) && width->val_int < 0) {
        throw std::runtime_error("indent() width is negative");
    }
    const double columns = is_integer(width) ? static_cast<double>(width->val_int) : std::max(length_of(width), 4.0);
    budget::current().require_text(static_cast<double>(text.size()) + lines * columns);
}

/// Stripping erases emptied parts from the front, one after the other.
void strip(const operands & values) {
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

void to_json(const operands & values) {
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

void join(const operands & values) {
    if (values.empty()) {
        return;
    }
    const extent size = measure(values[0]);
    const jinja::value delimiter = argument(values, "d", 1);
    const double between = delimiter ? static_cast<double>(measure(delimiter).bytes) : 0;
    const double elements = static_cast<double>(values[0]->val_arr.size());
    budget::current().require_text(static_cast<double>(size.bytes) + elements * between);
}

}  // namespace cllama::chat::checks
