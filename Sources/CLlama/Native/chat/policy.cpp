#include "policy.hpp"

#include "checks.hpp"

#include <unordered_map>
#include <unordered_set>

namespace cllama::chat {

namespace {

using check = void (*)(const operands &);

/// Builtins of constant cost, or of a cost linear in a value that exists already.
const std::unordered_set<std::string> & harmless_names() {
    static const std::unordered_set<std::string> names = {
        "abs", "capitalize", "default", "endswith", "first", "float", "get", "int", "keys", "last", "length",
        "list", "lower", "pop", "raise_exception", "reverse", "startswith", "strftime_now", "title", "upper",
        "values", "test_is_boolean", "test_is_callable", "test_is_defined", "test_is_false", "test_is_float",
        "test_is_integer", "test_is_iterable", "test_is_mapping", "test_is_none", "test_is_number",
        "test_is_sequence", "test_is_string", "test_is_true", "test_is_undefined",
    };
    return names;
}

/// Builtins whose cost or safety depends on their arguments. One that is in neither table is new to this package:
/// whatever it does, it gets only values of bounded size.
const std::unordered_map<std::string, check> & checks_by_name() {
    static const std::unordered_map<std::string, check> table = {
        {"append", checks::append},
        {"dict", checks::object},
        {"dictsort", checks::dict_sort},
        {"format", checks::any},
        {"indent", checks::indent},
        {"items", checks::items},
        {"join", checks::join},
        {"lstrip", checks::strip},
        {"map", checks::map},
        {"max", checks::extreme},
        {"min", checks::extreme},
        {"namespace", checks::object},
        {"range", checks::range},
        {"reject", checks::select},
        {"rejectattr", checks::select},
        {"replace", checks::replace},
        {"rsplit", checks::split},
        {"rstrip", checks::strip},
        {"safe", checks::to_json},
        {"select", checks::select},
        {"selectattr", checks::select},
        {"slice", checks::slice},
        {"sort", checks::sort},
        {"split", checks::split},
        {"string", checks::to_json},
        {"strip", checks::strip},
        {"tojson", checks::to_json},
        {"test_is_divisibleby", checks::divisible},
        {"test_is_in", checks::contained},
    };
    return table;
}

/// A list that is printed as an argument must come to an end. Some builtins only store theirs.
void check_arguments(const std::string & name, const operands & values) {
    static const std::unordered_set<std::string> storing = {"append", "default", "dict", "get", "namespace"};
    for (size_t i = 1; storing.count(name) == 0 && i < values.size(); ++i) {
        if (values[i] && (is_container(values[i]) || is_named(*values[i]))) {
            measure(values[i]);
        }
    }
}

void check_repetition(const jinja::value & text, const jinja::value & times) {
    if (is_text(text) && checks::is_integer(times) && times->val_int > 0) {
        const size_t part_bytes = text->val_str.parts.size() * sizeof(jinja::string_part);
        const double bytes = checks::length_of(text) + static_cast<double>(part_bytes);
        budget::current().require_text(bytes * static_cast<double>(times->val_int));
    }
}

}  // namespace

void check_builtin(const std::string & name, const operands & values) {
    check_arguments(name, values);
    if (harmless_names().count(name) > 0) {
        return;
    }
    const auto found = checks_by_name().find(name);
    const check chosen = found == checks_by_name().end() ? checks::any : found->second;
    chosen(values);
}

void check_operator(const std::string & name, const jinja::value & left, const jinja::value & right) {
    if (name == "*") {
        check_repetition(left, right);
        check_repetition(right, left);
    } else if (name == "in" || name == "not in") {
        checks::contained({left, right});
    } else if (name == "+" && is_container(left) && is_container(right)) {
        const size_t elements = left->val_arr.size() + right->val_arr.size();
        budget::current().require_list(static_cast<double>(elements));
    } else if (is_container(left) || is_container(right)) {
        checks::any({left, right});
    }
}

}  // namespace cllama::chat
