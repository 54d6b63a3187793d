#include "values.hpp"

#include <algorithm>
#include <typeinfo>

namespace cllama::chat {

namespace {

class measurement {
  public:
    extent total;

    void visit(const jinja::value & value, size_t depth) {
        count(depth);
        if (!value->val_arr.empty()) {
            for (const auto & element : value->val_arr) {
                visit(element, depth + 1);
            }
        } else if (!value->val_obj.empty()) {
            for (const auto & [key, element] : value->val_obj) {
                visit(key, depth + 1);
                visit(element, depth + 1);
            }
        } else if (!value->val_str.parts.empty()) {
            add(value->val_str);
        } else if (value->val_func) {
            visit_bound(value, depth);
        } else if (is_named(*value)) {
            visit(static_cast<const jinja::value_kwarg_t &>(*value).val, depth + 1);
        }
    }

  private:
    budget & spending_ = budget::current();

    void count(size_t depth) {
        if (depth > MAX_VALUE_DEPTH) {
            spending_.exhaust("The chat template uses a value that nests deeper than " +
                              std::to_string(MAX_VALUE_DEPTH) + " levels or contains itself.");
        }
        if (++total.values > MAX_VISITED_VALUES) {
            spending_.exhaust("The chat template uses a value with too many elements.");
        }
        total.depth = std::max(total.depth, depth);
        if (total.values % 256 == 0) {
            spending_.step();
        }
    }

    void add(const jinja::string & text) {
        const size_t length = text.length();
        total.bytes += length;
        total.longest = std::max(total.longest, length);
        total.has_input = total.has_input || has_input(text);
        spending_.require_text(static_cast<double>(total.bytes));
    }

    /// A method that is bound to a value prints that value.
    void visit_bound(const jinja::value & value, size_t depth) {
        const auto * method = jinja::cast_val<jinja::value_func>(value);
        if (method != nullptr && method->arg0) {
            visit(method->arg0, depth + 1);
        }
    }
};

}  // namespace

bool is_named(const jinja::value_t & value) {
    return typeid(value) == typeid(jinja::value_kwarg_t);
}

extent measure(const jinja::value & value) {
    measurement measuring;
    measuring.visit(value, 0);
    return measuring.total;
}

bool has_input(const jinja::string & text) {
    return std::any_of(text.parts.begin(), text.parts.end(),
                       [](const auto & part) { return part.is_input && !part.val.empty(); });
}

jinja::value argument(const operands & values, const char * key, size_t position) {
    for (const auto & value : values) {
        const auto * named = jinja::cast_val<jinja::value_kwarg>(value);
        if (named != nullptr && named->key == key && !named->val->is_undefined()) {
            return named->val;
        }
    }
    const bool is_positional = position < values.size() && !jinja::is_val<jinja::value_kwarg>(values[position]);
    return is_positional ? values[position] : nullptr;
}

}  // namespace cllama::chat
