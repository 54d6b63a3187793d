#pragma once

#include "budget.hpp"


#include <utility>

/// Nodes that stand in for llama.cpp's own in the syntax tree of a template, and do the same within a budget.
///
/// llama.cpp asks for the type of some children (names, callees, filters) with `dynamic_cast`. So a stand-in derives
/// from the class that it replaces.
namespace cllama::chat {

/// Does what `Node` does, as one step.
template <class Node>
class bounded final : public Node {
  public:
    explicit bounded(Node && node) : Node(std::move(node)) {}

    jinja::value execute_impl(jinja::context & context) const override {
        execution step;
        jinja::value made = Node::execute_impl(context);
        step.spending().charge_new(made);
        return made;
    }
};

/// An expression that has been evaluated already.
class constant final : public jinja::expression {
  public:
    explicit constant(jinja::value value) : value_(std::move(value)) { pos = 0; }
    jinja::value execute_impl(jinja::context &) const override { return value_; }

  private:
    jinja::value value_;
};

/// A variable. Does not copy llama.cpp's table of functions for every look-up.
class bounded_identifier final : public jinja::identifier {
  public:
    explicit bounded_identifier(jinja::identifier && node) : identifier(std::move(node)) {}
    jinja::value execute_impl(jinja::context & context) const override;
};

class bounded_binary final : public jinja::binary_expression {
  public:
    explicit bounded_binary(jinja::binary_expression && node) : binary_expression(std::move(node)) {}
    jinja::value execute_impl(jinja::context & context) const override;
};

/// `object[key]`, `object.0` and slices. Plain `object.name` needs no more than `bounded`.
class bounded_subscript final : public jinja::member_expression {
  public:
    explicit bounded_subscript(jinja::member_expression && node) : member_expression(std::move(node)) {}
    jinja::value execute_impl(jinja::context & context) const override;
};

class bounded_filter final : public jinja::filter_expression {
  public:
    explicit bounded_filter(jinja::filter_expression && node) : filter_expression(std::move(node)) {}
    jinja::value execute_impl(jinja::context & context) const override;
};

class bounded_test final : public jinja::test_expression {
  public:
    explicit bounded_test(jinja::test_expression && node) : test_expression(std::move(node)) {}
    jinja::value execute_impl(jinja::context & context) const override;
};

/// What is called: gives a function that checks its arguments first.
class checked_callee final : public jinja::expression {
  public:
    explicit checked_callee(jinja::statement_ptr callee) : callee_(std::move(callee)) { pos = callee_->pos; }
    jinja::value execute_impl(jinja::context & context) const override;

  private:
    jinja::statement_ptr callee_;
};

/// An expression whose value is printed. llama.cpp collects what a block prints before anyone sees its size, and
/// reads a list only when the block ends, when it may have come to contain itself.
class printed_expression final : public jinja::expression {
  public:
    explicit printed_expression(jinja::statement_ptr inner) : inner_(std::move(inner)) { pos = inner_->pos; }
    std::string type() const override { return inner_->type(); }
    jinja::value execute_impl(jinja::context & context) const override;

  private:
    jinja::statement_ptr inner_;
};

/// An expression that becomes a key of an object, for which llama.cpp walks its value recursively.
class key_expression final : public jinja::expression {
  public:
    explicit key_expression(jinja::statement_ptr inner) : inner_(std::move(inner)) { pos = inner_->pos; }
    std::string type() const override { return inner_->type(); }
    jinja::value execute_impl(jinja::context & context) const override;

  private:
    jinja::statement_ptr inner_;
};

/// What a loop runs over. llama.cpp reads the elements of a list of lists again in every round of a loop with
/// several variables, so they are handed over as tuples, which the rounds before cannot have shortened.
class loop_source final : public jinja::expression {
  public:
    loop_source(jinja::statement_ptr inner, bool unpacks) : inner_(std::move(inner)), unpacks_(unpacks) {
        pos = inner_->pos;
    }
    std::string type() const override { return inner_->type(); }
    jinja::value execute_impl(jinja::context & context) const override;

  private:
    jinja::statement_ptr inner_;
    bool unpacks_;
};

/// The object whose member `set` changes.
class changed_object final : public jinja::expression {
  public:
    explicit changed_object(jinja::statement_ptr inner) : inner_(std::move(inner)) { pos = inner_->pos; }
    jinja::value execute_impl(jinja::context & context) const override;

  private:
    jinja::statement_ptr inner_;
};

/// The text that some statements print: the operand of a filter block, or the value of a `set` block.
class printed_block final : public jinja::expression {
  public:
    explicit printed_block(jinja::statements body) : body_(std::move(body)) { pos = 0; }
    jinja::value execute_impl(jinja::context & context) const override;

  private:
    jinja::statements body_;
};

/// A call with a block. Each keeps a copy of all variables.
class bounded_call_block final : public jinja::call_statement {
  public:
    explicit bounded_call_block(jinja::call_statement && node) : call_statement(std::move(node)) {}
    jinja::value execute_impl(jinja::context & context) const override;

    size_t variables = 0;
};

/// The whole template.
class template_root final : public jinja::statement {
  public:
    explicit template_root(jinja::statements body) : body_(std::move(body)) { pos = 0; }
    std::string type() const override { return "Template"; }
    jinja::value execute_impl(jinja::context & context) const override;

  private:
    jinja::statements body_;
};

}  // namespace cllama::chat
