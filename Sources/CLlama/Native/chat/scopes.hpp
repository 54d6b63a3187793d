#pragma once

#include "budget.hpp"

#include <utility>

/// Nodes for which Python's Jinja has other scopes than llama.cpp.
namespace cllama::chat {

/// What some statements print, as one text.
jinja::value_string print(const jinja::statements & body, jinja::context & context);

/// An `if`. What it printed stays when `continue` or `break` leaves it.
class branch final : public jinja::if_statement {
  public:
    explicit branch(jinja::if_statement && node) : if_statement(std::move(node)) {}
    jinja::value execute_impl(jinja::context & context) const override;
};

/// The body of a loop. What a round sets is forgotten when it ends.
class loop_round final : public jinja::statement {
  public:
    explicit loop_round(jinja::statements body) : body_(std::move(body)) { pos = 0; }
    std::string type() const override { return "Round"; }
    jinja::value execute_impl(jinja::context & context) const override;

  private:
    jinja::statements body_;
};

/// Follows the body of a loop, and ends the loop after a round that `break` left.
class loop_exit final : public jinja::statement {
  public:
    loop_exit() { pos = 0; }
    std::string type() const override { return "Exit"; }
    jinja::value execute_impl(jinja::context & context) const override;
};

/// A macro. Arguments may be named and in any order; one that is missing has its default value or is undefined.
class macro_definition final : public jinja::macro_statement {
  public:
    explicit macro_definition(jinja::macro_statement && node) : macro_statement(std::move(node)) {}
    jinja::value execute_impl(jinja::context & context) const override;

  private:
    jinja::func_args in_order(const jinja::func_args & given) const;
};

}  // namespace cllama::chat
