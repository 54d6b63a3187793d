#include "cycles.hpp"

#include "values.hpp"

#include <unordered_map>

namespace cllama::chat {

namespace {

/// One value on the path from a changed value downwards.
struct visit {
    jinja::value value;
    std::vector<jinja::value> below;
};

/// A function that a template defined may hold copies of all variables.
bool is_opaque(const jinja::value_func_t & function) {
    return function.arg0 == nullptr && jinja::global_builtins().count(function.name) == 0;
}

std::vector<jinja::value> children(const jinja::value & value) {
    std::vector<jinja::value> result = value->val_arr;
    for (const auto & [key, element] : value->val_obj) {
        result.push_back(key);
        result.push_back(element);
    }
    if (const auto * function = jinja::cast_val<jinja::value_func>(value); function && function->arg0) {
        result.push_back(function->arg0);
    }
    if (const auto * named = jinja::cast_val<jinja::value_kwarg>(value)) {
        result.push_back(named->val);
    }
    return result;
}

bool is_leaf(const jinja::value & value) {
    return value->val_arr.empty() && value->val_obj.empty() && !value->val_func &&
           !is_named(*value);
}

void empty(const jinja::value & value) {
    value->val_arr.clear();
    value->val_obj.clear();
    if (auto * object = dynamic_cast<jinja::value_object_t *>(value.get())) {
        object->unordered.clear();
    } else if (auto * function = dynamic_cast<jinja::value_func_t *>(value.get())) {
        function->arg0.reset();
    } else if (auto * named = dynamic_cast<jinja::value_kwarg_t *>(value.get())) {
        named->val.reset();
    }
}

/// Walks depth first. A value that leads back to one above it closes a cycle; without those values there is none.
class cutter {
  public:
    std::vector<jinja::value> closing;

    void walk(const jinja::value & root) {
        if (is_leaf(root) || states_.count(root.get()) > 0) {
            return;
        }
        enter(root);
        while (!path_.empty()) {
            if (path_.back().below.empty()) {
                states_[path_.back().value.get()] = state::done;
                path_.pop_back();
                continue;
            }
            const jinja::value next = std::move(path_.back().below.back());
            path_.back().below.pop_back();
            reach(next);
        }
    }

  private:
    enum class state { open, done };
    std::unordered_map<const jinja::value_t *, state> states_;
    std::vector<visit> path_;

    void enter(const jinja::value & value) {
        states_[value.get()] = state::open;
        path_.push_back({value, children(value)});
    }

    void reach(const jinja::value & value) {
        if (is_leaf(value)) {
            return;
        }
        const auto found = states_.find(value.get());
        const auto * function = jinja::cast_val<jinja::value_func>(value);
        const bool closes = found != states_.end() ? found->second == state::open
                                                   : function != nullptr && is_opaque(*function);
        if (closes) {
            closing.push_back(path_.back().value);
        } else if (found == states_.end()) {
            enter(value);
        }
    }
};

}  // namespace

void cut_cycles(const std::vector<std::weak_ptr<jinja::value_t>> & changed) noexcept {
    try {
        cutter cutting;
        std::vector<jinja::value> alive;
        for (const auto & reference : changed) {
            if (auto value = reference.lock()) {
                alive.push_back(std::move(value));
            }
        }
        for (const auto & value : alive) {
            cutting.walk(value);
        }
        for (const auto & value : cutting.closing) {
            empty(value);
        }
    } catch (...) {
        // Out of memory: what is still cyclic leaks.
    }
}

}  // namespace cllama::chat
