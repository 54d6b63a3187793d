#include "scopes.hpp"

#include <algorithm>

namespace cllama::chat {

namespace {

using continues = jinja::continue_statement::signal;
using breaks = jinja::break_statement::signal;

/// Set in the scope of a loop that `break` left. No template can name it.
const char * const LEFT = "loop is left";

/// `continue` or `break` on its way to the loop, with what was printed before it.
template <class Signal>
struct leaving final : Signal {
    jinja::value printed;

    leaving(jinja::value_string text, const Signal & inner) : printed(text) {
        if (const auto * other = dynamic_cast<const leaving *>(&inner)) {
            text->val_str.append(other->printed->val_str);
        }
    }
};

jinja::value_string collected(const jinja::value & results) {
    auto text = jinja::mk_val<jinja::value_string>();
    jinja::gather_string_parts_recursive(results, text);
    return text;
}

/// Prints until `continue` or `break`, which then takes the text along.
jinja::value_string print_and_leave(const jinja::statements & body, jinja::context & context) {
    const auto results = jinja::mk_val<jinja::value_array>();
    try {
        for (const auto & statement : body) {
            results->push_back(statement->execute(context));
        }
    } catch (const continues & signal) {
        throw leaving<continues>(collected(results), signal);
    } catch (const breaks & signal) {
        throw leaving<breaks>(collected(results), signal);
    }
    return collected(results);
}

template <class Signal>
jinja::value text_of(const Signal & signal) {
    const auto * left = dynamic_cast<const leaving<Signal> *>(&signal);
    return left == nullptr ? jinja::mk_val<jinja::value_string>() : left->printed;
}

const jinja::identifier * name_of(const jinja::statement_ptr & parameter) {
    const auto * named = jinja::cast_stmt<jinja::keyword_argument_expression>(parameter);
    return jinja::cast_stmt<jinja::identifier>(named == nullptr ? parameter : named->key);
}

/// The argument for the parameter at `position`, or NULL.
jinja::value given_value(const jinja::statement_ptr & parameter, size_t position, const jinja::func_args & given) {
    const auto & values = given.get_args();
    if (position < values.size() && !jinja::is_val<jinja::value_kwarg>(values[position])) {
        return values[position];
    }
    const auto * name = name_of(parameter);
    for (const auto & value : values) {
        const auto * named = jinja::cast_val<jinja::value_kwarg>(value);
        if (named != nullptr && name != nullptr && named->key == name->val) {
            return named->val;
        }
    }
    return nullptr;
}

/// The default value of a parameter, which may depend on the parameters before it.
jinja::value default_value(const jinja::statement_ptr & parameter, const jinja::statements & parameters,
                           const jinja::func_args & bound) {
    const auto * optional = jinja::cast_stmt<jinja::keyword_argument_expression>(parameter);
    if (optional == nullptr) {
        return jinja::mk_val<jinja::value_undefined>();
    }
    jinja::context scope(bound.ctx);
    for (size_t i = 0; i < bound.count(); ++i) {
        if (const auto * name = name_of(parameters[i])) {
            scope.set_val(name->val, bound.get_pos(i));
        }
    }
    return optional->val->execute(scope);
}

}  // namespace

jinja::value_string print(const jinja::statements & body, jinja::context & context) {
    const auto results = jinja::mk_val<jinja::value_array>();
    for (const auto & statement : body) {
        results->push_back(statement->execute(context));
    }
    return collected(results);
}

jinja::value branch::execute_impl(jinja::context & context) const {
    execution step;
    const bool is_true = test->execute(context)->as_bool();
    jinja::value text = print_and_leave(is_true ? body : alternate, context);
    step.spending().charge_new(text);
    return text;
}

jinja::value loop_round::execute_impl(jinja::context & context) const {
    execution step;
    jinja::context round(context);
    jinja::value text;
    try {
        text = print_and_leave(body_, round);
    } catch (const continues & signal) {
        text = text_of(signal);
    } catch (const breaks & signal) {
        text = text_of(signal);
        context.set_val(LEFT, jinja::mk_val<jinja::value_none>());
    }
    step.spending().charge_new(text);
    return text;
}

jinja::value loop_exit::execute_impl(jinja::context & context) const {
    if (context.get_val(LEFT)->is_none()) {
        throw breaks();
    }
    return jinja::mk_val<jinja::value_undefined>();
}

jinja::func_args macro_definition::in_order(const jinja::func_args & given) const {
    jinja::func_args ordered(given.ctx);
    for (size_t i = 0; i < args.size(); ++i) {
        const jinja::value value = given_value(args[i], i, given);
        ordered.push_back(value ? value : default_value(args[i], args, ordered));
    }
    return ordered;
}

jinja::value macro_definition::execute_impl(jinja::context & context) const {
    execution step;
    jinja::value made = macro_statement::execute_impl(context);
    if (const auto * defined = jinja::cast_stmt<jinja::identifier>(name)) {
        const jinja::value plain = context.get_val(defined->val);
        const auto called = [this, plain](const jinja::func_args & given) { return plain->invoke(in_order(given)); };
        context.set_val(defined->val, jinja::mk_val<jinja::value_func>(defined->val, called));
    }
    step.spending().charge_new(made);
    return made;
}

}  // namespace cllama::chat
