#include "filters.hpp"

#include "characters.hpp"
#include "policy.hpp"
#include "provenance.hpp"
#include "python_builtins.hpp"
#include "python_text.hpp"

#include <unordered_set>

namespace cllama::chat {

namespace {

operands evaluate(const jinja::statements & expressions, jinja::context & context) {
    operands values;
    values.reserve(expressions.size());
    for (const auto & expression : expressions) {
        values.push_back(expression->execute(context));
    }
    return values;
}

jinja::statements all_fixed(const operands & values) {
    jinja::statements expressions;
    for (const auto & value : values) {
        expressions.push_back(fixed(value));
    }
    return expressions;
}

application applied(const std::string & name, const operands & arguments) {
    jinja::statement_ptr node = std::make_unique<jinja::identifier>(name);
    if (!arguments.empty()) {
        node = std::make_unique<jinja::call_expression>(std::move(node), all_fixed(arguments));
    }
    return {name, arguments, std::move(node)};
}

/// The builtin that a filter name stands for.
std::string builtin_of(const std::string & filter) {
    if (filter == "count") {
        return "length";
    }
    if (filter == "d") {
        return "default";
    }
    return filter == "trim" ? "strip" : filter;
}

bool takes_text(const std::string & builtin) {
    static const std::unordered_set<std::string> names = {
        "capitalize", "lower", "replace", "strip", "title", "upper", "wordcount",
    };
    return names.count(builtin) > 0;
}

/// What a filter works on: the text of a value where it takes text, a list where it takes that.
jinja::value coerced(const jinja::value & subject, const std::string & builtin, const jinja::context & context) {
    if (builtin == "join" && !context.is_get_stats) {
        return listed(subject);
    }
    if (!takes_text(builtin) || is_text(subject) || subject->is_undefined()) {
        return subject;
    }
    if (is_container(subject)) {
        measure(subject);
    }
    return context.is_get_stats ? subject : jinja::mk_val<jinja::value_string>(python_text(subject));
}

void mark_used(jinja::value value) {
    jinja::value_t::stats_t::mark_used(value);
}

/// `list | map('filter', …)`, which llama.cpp lacks; NULL for other uses of `map`.
jinja::value mapped(const jinja::value & given, const operands & arguments, jinja::context & context) {
    const execution step;
    const jinja::value elements = listed(given);
    if (arguments.empty() || !is_text(arguments[0]) || !jinja::is_val<jinja::value_array>(elements)) {
        return nullptr;
    }
    if (context.is_get_stats) {
        mark_used(given);
    }
    const std::string name = arguments[0]->val_str.str();
    const operands others(arguments.begin() + 1, arguments.end());
    auto result = jinja::mk_val<jinja::value_array>();
    for (const auto & element : elements->val_arr) {
        result->push_back(filtered(element, applied(name, others), context));
    }
    return result;
}

}  // namespace

jinja::statement_ptr fixed(jinja::value value) {
    return std::make_unique<constant>(std::move(value));
}

application apply(const jinja::statement_ptr & node, jinja::context & context) {
    if (const auto * name = jinja::cast_stmt<jinja::identifier>(node)) {
        return applied(name->val, {});
    }
    application result;
    result.fixed_node = fixed(nullptr);
    if (const auto * call = jinja::cast_stmt<jinja::call_expression>(node)) {
        operands arguments = evaluate(call->args, context);
        if (const auto * name = jinja::cast_stmt<jinja::identifier>(call->callee)) {
            return applied(name->val, arguments);
        }
    }
    return result;
}

operands with_subject(const jinja::value & subject, const operands & arguments) {
    operands values = {subject};
    values.insert(values.end(), arguments.begin(), arguments.end());
    return values;
}

jinja::value listed(const jinja::value & value) {
    if (is_text(value)) {
        return jinja::mk_val<jinja::value_array>(characters_of(value->val_str));
    }
    if (!jinja::is_val<jinja::value_object>(value)) {
        return value->is_undefined() ? jinja::mk_val<jinja::value_array>() : value;
    }
    auto keys = jinja::mk_val<jinja::value_array>();
    for (const auto & member : value->val_obj) {
        keys->push_back(member.first);
    }
    return keys;
}

jinja::value filtered(const jinja::value & given, application filter, jinja::context & context) {
    const std::string builtin = builtin_of(filter.name);
    const jinja::value subject = coerced(given, builtin, context);
    const operands values = with_subject(subject, filter.arguments);
    check_builtin(builtin, values);
    if (context.is_get_stats && is_python_only(builtin)) {
        mark_used(given);
    }
    jinja::value made = builtin == "map" ? mapped(given, filter.arguments, context) : nullptr;
    const bool is_llamas = context.is_get_stats && !is_python_only(builtin);
    if (!made && !is_llamas) {
        made = python_builtin(builtin, values);
    }
    if (!made) {
        const jinja::filter_expression filtering(fixed(subject), std::move(filter.fixed_node));
        made = filtering.execute_impl(context);
    }
    carry_marks(builtin, values, made);
    budget::current().charge_new(made);
    return made;
}

}  // namespace cllama::chat
