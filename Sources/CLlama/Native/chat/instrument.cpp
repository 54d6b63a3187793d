#include "instrument.hpp"

#include "../guard.hpp"
#include "nodes.hpp"
#include "scopes.hpp"

#include <typeinfo>
#include <unordered_set>

namespace cllama::chat {

namespace {

/// Goes through the tree once, children first, and replaces each node that does something.
class instrumentation {
  public:
    void block(jinja::statements & body) {
        for (auto & statement : body) {
            node(statement);
            if (dynamic_cast<jinja::expression *>(statement.get()) != nullptr) {
                statement = std::make_unique<printed_expression>(std::move(statement));
            }
        }
    }

    void finish() {
        if (names_.size() > MAX_VARIABLES) {
            throw failure(CL_LIMIT_EXCEEDED, "The chat template assigns more than " + std::to_string(MAX_VARIABLES) +
                                                 " variables.");
        }
        for (auto * call : call_blocks_) {
            call->variables = names_.size();
        }
    }

  private:
    std::unordered_set<std::string> names_;
    std::vector<bounded_call_block *> call_blocks_;

    void node(jinja::statement_ptr & slot) {
        if (slot) {
            statements(slot) || literals(slot) || operators(slot) || applications(slot);
        }
    }

    void nodes(jinja::statements & slots) {
        for (auto & slot : slots) {
            node(slot);
        }
    }

    /// The node in `slot` as a `Node`, or NULL if it is of another class.
    template <class Node>
    static Node * as(const jinja::statement_ptr & slot) {
        const auto & object = *slot;
        return typeid(object) == typeid(Node) ? static_cast<Node *>(slot.get()) : nullptr;
    }

    template <class Replacement, class Node>
    static Replacement * replace(jinja::statement_ptr & slot, Node & node) {
        auto replacement = std::make_unique<Replacement>(std::move(node));
        auto * result = replacement.get();
        slot = std::move(replacement);
        return result;
    }

    template <class Node>
    static bool bound(jinja::statement_ptr & slot, Node & node) {
        replace<bounded<Node>>(slot, node);
        return true;
    }

    void assigned(const jinja::statement_ptr & target) {
        if (const auto * name = jinja::cast_stmt<jinja::identifier>(target)) {
            names_.insert(name->val);
        } else if (const auto * tuple = jinja::cast_stmt<jinja::tuple_literal>(target)) {
            for (const auto & element : tuple->val) {
                assigned(element);
            }
        }
    }

    /// Parameters of a macro: names, some with default values.
    void parameters(jinja::statements & slots) {
        for (auto & slot : slots) {
            assigned(slot);
            if (auto * named = as<jinja::keyword_argument_expression>(slot)) {
                assigned(named->key);
                node(named->val);
            }
        }
    }

    bool statements(jinja::statement_ptr & slot) {
        if (auto * found = as<jinja::if_statement>(slot)) {
            node(found->test);
            block(found->body);
            block(found->alternate);
            replace<branch>(slot, *found);
            return true;
        }
        if (auto * found = as<jinja::for_statement>(slot)) {
            return loop(slot, *found);
        }
        if (auto * found = as<jinja::set_statement>(slot)) {
            return assignment(slot, *found);
        }
        if (auto * found = as<jinja::macro_statement>(slot)) {
            assigned(found->name);
            parameters(found->args);
            block(found->body);
            replace<macro_definition>(slot, *found);
            return true;
        }
        if (auto * found = as<jinja::call_statement>(slot)) {
            return call_block(slot, *found);
        }
        if (auto * found = as<jinja::filter_statement>(slot)) {
            block(found->body);
            jinja::filter_expression filtering(std::make_unique<printed_block>(std::move(found->body)),
                                               std::move(found->filter));
            filtering.pos = found->pos;
            arguments(filtering.filter);
            replace<bounded_filter>(slot, filtering);
            return true;
        }
        return false;
    }

    bool loop(jinja::statement_ptr & slot, jinja::for_statement & found) {
        assigned(found.loopvar);
        const bool unpacks = jinja::is_stmt<jinja::tuple_literal>(found.loopvar);
        auto * select = as<jinja::select_expression>(found.iterable);
        auto & source = select == nullptr ? found.iterable : select->lhs;
        node(source);
        source = std::make_unique<loop_source>(std::move(source), unpacks);
        if (select != nullptr) {
            node(select->test);
        }
        block(found.body);
        block(found.default_block);
        auto round = std::make_unique<loop_round>(std::move(found.body));
        found.body.clear();
        found.body.push_back(std::move(round));
        found.body.push_back(std::make_unique<loop_exit>());
        return bound(slot, found);
    }

    bool assignment(jinja::statement_ptr & slot, jinja::set_statement & found) {
        assigned(found.assignee);
        if (auto * member = as<jinja::member_expression>(found.assignee)) {
            node(member->object);
            member->object = std::make_unique<changed_object>(std::move(member->object));
        }
        if (found.val) {
            node(found.val);
        } else {
            block(found.body);
            found.val = std::make_unique<printed_block>(std::move(found.body));
        }
        return bound(slot, found);
    }

    bool call_block(jinja::statement_ptr & slot, jinja::call_statement & found) {
        if (auto * call = as<jinja::call_expression>(found.call)) {
            callee(call->callee);
            nodes(call->args);
        }
        parameters(found.caller_args);
        block(found.body);
        call_blocks_.push_back(replace<bounded_call_block>(slot, found));
        return true;
    }

    void callee(jinja::statement_ptr & slot) {
        node(slot);
        slot = std::make_unique<checked_callee>(std::move(slot));
    }

    /// The arguments of a filter or test; its name is no variable.
    void arguments(jinja::statement_ptr & slot) {
        if (auto * call = as<jinja::call_expression>(slot)) {
            nodes(call->args);
        }
    }

    bool literals(jinja::statement_ptr & slot) {
        if (auto * found = as<jinja::identifier>(slot)) {
            replace<bounded_identifier>(slot, *found);
            return true;
        }
        if (auto * found = as<jinja::string_literal>(slot)) {
            return bound(slot, *found);
        }
        if (auto * found = as<jinja::integer_literal>(slot)) {
            return bound(slot, *found);
        }
        if (auto * found = as<jinja::float_literal>(slot)) {
            return bound(slot, *found);
        }
        if (auto * found = as<jinja::array_literal>(slot)) {
            nodes(found->val);
            return bound(slot, *found);
        }
        if (auto * found = as<jinja::tuple_literal>(slot)) {
            nodes(found->val);
            return bound(slot, *found);
        }
        if (auto * found = as<jinja::object_literal>(slot)) {
            for (auto & [key, value] : found->val) {
                node(key);
                key = std::make_unique<key_expression>(std::move(key));
                node(value);
            }
            return bound(slot, *found);
        }
        return false;
    }

    bool operators(jinja::statement_ptr & slot) {
        if (auto * found = as<jinja::binary_expression>(slot)) {
            node(found->left);
            node(found->right);
            replace<bounded_binary>(slot, *found);
            return true;
        }
        if (auto * found = as<jinja::unary_expression>(slot)) {
            node(found->argument);
            return bound(slot, *found);
        }
        if (auto * found = as<jinja::ternary_expression>(slot)) {
            node(found->condition);
            node(found->true_expr);
            node(found->false_expr);
            return bound(slot, *found);
        }
        if (auto * found = as<jinja::select_expression>(slot)) {
            node(found->lhs);
            node(found->test);
            return bound(slot, *found);
        }
        return false;
    }

    bool applications(jinja::statement_ptr & slot) {
        if (auto * found = as<jinja::member_expression>(slot)) {
            return access(slot, *found);
        }
        if (auto * found = as<jinja::call_expression>(slot)) {
            callee(found->callee);
            nodes(found->args);
            return bound(slot, *found);
        }
        if (auto * found = as<jinja::filter_expression>(slot)) {
            node(found->operand);
            arguments(found->filter);
            replace<bounded_filter>(slot, *found);
            return true;
        }
        if (auto * found = as<jinja::test_expression>(slot)) {
            node(found->operand);
            arguments(found->test);
            replace<bounded_test>(slot, *found);
            return true;
        }
        if (auto * found = as<jinja::keyword_argument_expression>(slot)) {
            node(found->val);
            return bound(slot, *found);
        }
        return false;
    }

    bool access(jinja::statement_ptr & slot, jinja::member_expression & found) {
        node(found.object);
        if (!found.computed && !jinja::is_stmt<jinja::integer_literal>(found.property)) {
            return bound(slot, found);
        }
        if (auto * slice = as<jinja::slice_expression>(found.property)) {
            node(slice->start_expr);
            node(slice->stop_expr);
            node(slice->step_expr);
        } else {
            node(found.property);
        }
        replace<bounded_subscript>(slot, found);
        return true;
    }
};

}  // namespace

void instrument(jinja::program & program) {
    instrumentation rewriting;
    rewriting.block(program.body);
    rewriting.finish();
    jinja::statements root;
    root.push_back(std::make_unique<template_root>(std::move(program.body)));
    program.body = std::move(root);
}

}  // namespace cllama::chat
