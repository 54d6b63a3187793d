#include "nodes.hpp"

#include "characters.hpp"
#include "checks.hpp"
#include "cycles.hpp"
#include "policy.hpp"
#include "provenance.hpp"
#include "python_builtins.hpp"
#include "python_text.hpp"
#include "scopes.hpp"

#include <ctime>
#include <unordered_set>

namespace cllama::chat {

namespace {

jinja::statement_ptr fixed(jinja::value value) {
    return std::make_unique<constant>(std::move(value));
}

operands evaluate(const jinja::statements & expressions, jinja::context & context) {
    operands values;
    values.reserve(expressions.size());
    for (const auto & expression : expressions) {
        values.push_back(expression->execute(context));
    }
    return values;
}

jinja::statements fixed(const operands & values) {
    jinja::statements expressions;
    for (const auto & value : values) {
        expressions.push_back(fixed(value));
    }
    return expressions;
}

/// A filter or a test as it stands in the template: a name, perhaps with arguments.
struct application {
    std::string name;
    operands arguments;
    jinja::statement_ptr fixed_node;
};

application apply(const jinja::statement_ptr & node, jinja::context & context) {
    application result;
    if (const auto * call = jinja::cast_stmt<jinja::call_expression>(node)) {
        const auto * name = jinja::cast_stmt<jinja::identifier>(call->callee);
        result.name = name == nullptr ? "" : name->val;
        result.arguments = evaluate(call->args, context);
        auto callee = name == nullptr ? fixed(nullptr) : std::make_unique<jinja::identifier>(result.name);
        result.fixed_node = std::make_unique<jinja::call_expression>(std::move(callee), fixed(result.arguments));
    } else if (const auto * name = jinja::cast_stmt<jinja::identifier>(node)) {
        result.name = name->val;
        result.fixed_node = std::make_unique<jinja::identifier>(result.name);
    } else {
        result.fixed_node = fixed(nullptr);
    }
    return result;
}

operands with_subject(const jinja::value & subject, const operands & arguments) {
    operands values = {subject};
    values.insert(values.end(), arguments.begin(), arguments.end());
    return values;
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

/// What a filter works on: the text of a value where it takes text.
jinja::value coerced(const jinja::value & subject, const std::string & builtin, const jinja::context & context) {
    if (!takes_text(builtin) || is_text(subject) || subject->is_undefined()) {
        return subject;
    }
    if (is_container(subject)) {
        measure(subject);
    }
    return context.is_get_stats ? subject : jinja::mk_val<jinja::value_string>(python_text(subject));
}

bool is_builtin(const jinja::value_func_t & function) {
    return function.arg0 != nullptr || jinja::global_builtins().count(function.name) > 0;
}

/// Key of a variable that no template can name. It is copied into every scope, which llama.cpp makes for each round
/// of a loop before it runs the first one: that is where the budget hears of it.
class scope_counter final : public jinja::value_string_t {
  public:
    std::string type() const override { return "ScopeCounter"; }
    bool is_hashable() const override {
        budget::current().step();
        return true;
    }

  protected:
    bool equivalent(const jinja::value_t & other) const override { return this == &other; }
};

/// Like llama.cpp's, but safe to call from several threads.
jinja::value formatted_time(const jinja::func_args & arguments) {
    arguments.ensure_vals<jinja::value_string>();
    const std::string format = arguments.get_pos(0)->val_str.str();
    std::tm local{};
    localtime_r(&arguments.ctx.current_time, &local);
    char buffer[100];
    const size_t length = std::strftime(buffer, sizeof(buffer), format.c_str(), &local);
    if (length == 0 && !format.empty()) {
        throw std::runtime_error("strftime_now: failed to format time");
    }
    return jinja::mk_val<jinja::value_string>(std::string(buffer, length));
}

/// Cuts cycles when a rendering ends, however it ends.
struct cycle_cutter {
    budget & spending;
    ~cycle_cutter() { cut_cycles(spending.take_changed()); }
};

/// What llama.cpp prints of a list or an object.
jinja::value collected(const jinja::value & printed) {
    auto text = jinja::mk_val<jinja::value_string>();
    jinja::gather_string_parts_recursive(printed, text);
    return text;
}

/// Text instead of a list or an object that is added to a text.
jinja::value as_addend(const jinja::value & value, const jinja::value & other) {
    const bool is_added_to_text = is_container(value) && is_text(other);
    return is_added_to_text ? jinja::mk_val<jinja::value_string>(python_text(value)) : value;
}

/// A character or a slice of a text; NULL for other subjects and keys. A bound that is not given is NULL.
jinja::value piece_of_text(const jinja::value & subject, const jinja::value & index) {
    const bool is_known = is_text(subject) && checks::is_integer(index);
    return is_known ? character_at(subject->val_str, index->val_int) : nullptr;
}

jinja::value piece_of_text(const jinja::value & subject, const jinja::value & start, const jinja::value & stop,
                           const jinja::value & step) {
    return is_text(subject) ? characters_between(subject->val_str, start, stop, step) : nullptr;
}

}  // namespace

jinja::value bounded_identifier::execute_impl(jinja::context & context) const {
    execution step;
    jinja::value found = context.get_val(val);
    if (!found->is_undefined()) {
        if (context.is_get_stats) {
            jinja::value_t::stats_t::mark_used(found);
        }
        return found;
    }
    const auto & builtins = jinja::global_builtins();
    const auto builtin = builtins.find(val);
    if (builtin == builtins.end()) {
        return jinja::mk_val<jinja::value_undefined>(val);
    }
    return jinja::mk_val<jinja::value_func>(val, builtin->second);
}

jinja::value bounded_binary::execute_impl(jinja::context & context) const {
    execution step;
    if (op.value == "and" || op.value == "or") {
        return binary_expression::execute_impl(context);
    }
    jinja::value left_value = left->execute(context);
    jinja::value right_value = right->execute(context);
    check_operator(op.value, left_value, right_value);
    if (!context.is_get_stats) {
        if (jinja::value made = python_operator(op.value, left_value, right_value)) {
            step.spending().charge_new(made);
            return made;
        }
    }
    if (op.value == "~" || op.value == "+") {
        const jinja::value left_addend = as_addend(left_value, right_value);
        right_value = as_addend(right_value, left_value);
        left_value = left_addend;
    }
    const jinja::binary_expression operation(op, fixed(std::move(left_value)), fixed(std::move(right_value)));
    jinja::value made = operation.execute_impl(context);
    step.spending().charge_new(made);
    return made;
}

jinja::value bounded_subscript::execute_impl(jinja::context & context) const {
    execution step;
    const jinja::value subject = object->execute(context);
    jinja::statement_ptr key;
    jinja::value made;
    if (const auto * slice = jinja::cast_stmt<jinja::slice_expression>(property)) {
        const auto bound = [&](const jinja::statement_ptr & node) { return node ? node->execute(context) : nullptr; };
        const jinja::value step_width = bound(slice->step_expr);
        const jinja::value start = bound(slice->start_expr);
        const jinja::value stop = bound(slice->stop_expr);
        check_builtin("slice", {subject, start, stop, step_width});
        made = context.is_get_stats ? nullptr : piece_of_text(subject, start, stop, step_width);
        const auto node = [](const jinja::value & value) { return value ? fixed(value) : nullptr; };
        key = std::make_unique<jinja::slice_expression>(node(start), node(stop), node(step_width));
    } else {
        const jinja::value index = property->execute(context);
        if (is_container(index)) {
            measure(index);
        }
        made = context.is_get_stats ? nullptr : piece_of_text(subject, index);
        key = fixed(index);
    }
    if (!made) {
        const jinja::member_expression access(fixed(subject), std::move(key), true);
        made = access.execute_impl(context);
    }
    step.spending().charge_new(made);
    return made;
}

jinja::value bounded_filter::execute_impl(jinja::context & context) const {
    execution step;
    jinja::value given = operand->execute(context);
    application applied = apply(filter, context);
    const std::string builtin = builtin_of(applied.name);
    const jinja::value subject = coerced(given, builtin, context);
    const operands values = with_subject(subject, applied.arguments);
    check_builtin(builtin, values);
    if (context.is_get_stats && is_python_only(builtin)) {
        jinja::value_t::stats_t::mark_used(given);
    }
    const bool is_llamas = context.is_get_stats && !is_python_only(builtin);
    jinja::value made = is_llamas ? nullptr : python_builtin(builtin, values);
    if (!made) {
        const jinja::filter_expression filtering(fixed(subject), std::move(applied.fixed_node));
        made = filtering.execute_impl(context);
    }
    carry_marks(builtin, values, made);
    step.spending().charge_new(made);
    return made;
}

jinja::value bounded_test::execute_impl(jinja::context & context) const {
    execution step;
    const jinja::value subject = operand->execute(context);
    application applied = apply(test, context);
    check_builtin("test_is_" + applied.name, with_subject(subject, applied.arguments));
    const jinja::test_expression testing(fixed(subject), negate, std::move(applied.fixed_node));
    return testing.execute_impl(context);
}

jinja::value checked_callee::execute_impl(jinja::context & context) const {
    jinja::value callee = callee_->execute(context);
    const auto * function = jinja::cast_val<jinja::value_func>(callee);
    if (function == nullptr || !is_builtin(*function)) {
        return callee;
    }
    const auto checked = [callee, function](const jinja::func_args & arguments) {
        operands values = function->arg0 ? operands{function->arg0} : operands{};
        values.insert(values.end(), arguments.get_args().begin(), arguments.get_args().end());
        check_builtin(function->name, values);
        const bool is_tested = arguments.ctx.is_get_stats;
        jinja::value made = is_tested ? nullptr : python_builtin(function->name, values);
        if (!made) {
            made = function->invoke(arguments);
        }
        carry_marks(function->name, values, made);
        return made;
    };
    return jinja::mk_val<jinja::value_func>(function->name, checked);
}

jinja::value printed_expression::execute_impl(jinja::context & context) const {
    jinja::value printed = inner_->execute(context);
    if (is_container(printed)) {
        const extent size = measure(printed);
        budget::current().charge(size.bytes + size.values * sizeof(jinja::string_part));
    }
    if (context.is_get_stats) {
        return is_container(printed) ? collected(printed) : printed;
    }
    if (!is_text(printed)) {
        printed = jinja::mk_val<jinja::value_string>(python_text(printed));
    }
    const auto & parts = printed->val_str.parts;
    budget::current().charge(printed->val_str.length() + parts.size() * sizeof(jinja::string_part));
    return printed;
}

jinja::value key_expression::execute_impl(jinja::context & context) const {
    jinja::value key = inner_->execute(context);
    if (is_container(key)) {
        measure(key);
    }
    return key;
}

jinja::value loop_source::execute_impl(jinja::context & context) const {
    const jinja::value source = inner_->execute(context);
    budget::current().require_list(static_cast<double>(source->val_arr.size()));
    if (!unpacks_ || !jinja::is_val<jinja::value_array>(source)) {
        return source;
    }
    auto copy = jinja::mk_val<jinja::value_array>();
    for (const auto & element : source->val_arr) {
        const bool is_list = jinja::is_val<jinja::value_array>(element) && !element->is_immutable();
        copy->push_back(is_list ? jinja::mk_val<jinja::value_tuple>(element->val_arr) : element);
    }
    copy->stats = source->stats;
    return copy;
}

jinja::value changed_object::execute_impl(jinja::context & context) const {
    jinja::value changed = inner_->execute(context);
    budget::current().note_changed(changed);
    return changed;
}

jinja::value printed_block::execute_impl(jinja::context & context) const {
    execution step;
    jinja::value text = print(body_, context);
    step.spending().charge_new(text);
    return text;
}

jinja::value bounded_call_block::execute_impl(jinja::context & context) const {
    execution step;
    step.spending().charge(variables * VALUE_BYTES);
    jinja::value made = call_statement::execute_impl(context);
    step.spending().charge_new(made);
    return made;
}

jinja::value template_root::execute_impl(jinja::context & context) const {
    execution step;
    budget & spending = step.spending();
    const cycle_cutter cutter{spending};
    const jinja::value counter = std::make_shared<scope_counter>();
    context.set_val(counter, jinja::mk_val<jinja::value_none>());
    context.set_val("strftime_now", jinja::mk_val<jinja::value_func>("strftime_now", formatted_time));
    mark_variables(context);
    jinja::value_string text = print(body_, context);
    spending.charge_new(text);
    if (spending.keeps_printed) {
        spending.printed.push_back({text->val_str.str(), merged(text->val_str.parts)});
    }
    return text;
}

}  // namespace cllama::chat
