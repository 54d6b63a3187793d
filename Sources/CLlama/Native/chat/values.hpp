#pragma once

#include "budget.hpp"


#include <vector>

namespace cllama::chat {

/// What a builtin works on: the value it belongs to, if any, and then its arguments.
/// A bound of a slice that is not given is NULL.
using operands = std::vector<jinja::value>;

/// The size of a value with everything below it, counted along every path.
struct extent {
    size_t values = 0;
    size_t bytes = 0;
    size_t longest = 0;
    size_t depth = 0;
    bool has_input = false;
};

inline bool is_container(const jinja::value & value) {
    return !value->val_arr.empty() || !value->val_obj.empty();
}

inline bool is_text(const jinja::value & value) {
    return jinja::is_val<jinja::value_string>(value);
}

/// Whether this is a named argument, which a template can keep like any other value.
bool is_named(const jinja::value_t & value);

/// Measures a value. Exhausts the budget when it is too large or too deep for an operation that walks all of it,
/// which includes every value that contains itself.
extent measure(const jinja::value & value);

bool has_input(const jinja::string & text);

/// The argument called `key`, or the one at `position`, or NULL.
jinja::value argument(const operands & values, const char * key, size_t position);

}  // namespace cllama::chat
