#include "nodes.hpp"

#include "characters.hpp"
#include "checks.hpp"
#include "cycles.hpp"
#include "filters.hpp"
#include "policy.hpp"
#include "provenance.hpp"
#include "python_builtins.hpp"
#include "python_text.hpp"
#include "scopes.hpp"

#include <ctime>

namespace cllama::chat {

namespace {

/// Whether this is the method `join` of a text, which llama.cpp lacks.
bool joins_texts(const jinja::value_func_t & function) {
    return function.name == "join" && function.arg0 && is_text(function.arg0);
}

/// What `text.join(list)` works on, in the order of the filter that does the same.
operands joined_by(const jinja::value & text, const operands & arguments) {
    if (arguments.size() != 1 || is_named(*arguments[0])) {
        throw std::runtime_error("join() of a text takes one argument");
    }
    const jinja::value elements = listed(arguments[0]);
    if (!jinja::is_val<jinja::value_array>(elements)) {
        throw std::runtime_error("join() of a text cannot join " + elements->type());
    }
    for (const auto & element : elements->val_arr) {
        if (!is_text(element)) {
            throw std::runtime_error("join() of a text cannot join an element that is " + element->type());
        }
    }
    return {elements, text};
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
    if (!context.is_get_stats || is_python_only(op.value)) {
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
    const execution step;
    const jinja::value given = operand->execute(context);
    return filtered(given, apply(filter, context), context);
}

jinja::value bounded_test::execute_impl(jinja::context & context) const {
    execution step;
    const jinja::value subject = operand->execute(context);
    application asked = apply(test, context);
    check_builtin("test_is_" + asked.name, with_subject(subject, asked.arguments));
    const jinja::test_expression testing(fixed(subject), negate, std::move(asked.fixed_node));
    return testing.execute_impl(context);
}

jinja::value checked_callee::execute_impl(jinja::context & context) const {
    jinja::value callee = callee_->execute(context);
    const auto * function = jinja::cast_val<jinja::value_func>(callee);
    if (function == nullptr || !is_builtin(*function)) {
        return callee;
    }
    const auto checked = [callee, function](const jinja::func_args & arguments) {
        const bool is_ours = joins_texts(*function);
        operands values = arguments.get_args();
        if (is_ours) {
            values = joined_by(function->arg0, values);
        } else if (function->arg0) {
            values.insert(values.begin(), function->arg0);
        }
        check_builtin(function->name, values);
        const bool is_llamas = arguments.ctx.is_get_stats && !is_ours;
        jinja::value made = is_llamas ? nullptr : python_builtin(function->name, values);
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
