#pragma once

#include "chain.hpp"
#include "cl_sampler.h"
#include "llama_grammar.hpp"
#include "vocabulary.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace cllama {

struct grammar_deleter {
    void operator()(llama_grammar * grammar) const { llama_grammar_free_impl(grammar); }
};

/// A grammar that is being followed.
class grammar_matcher {
  public:
    grammar_matcher(const vocabulary & vocab, const std::string & text, const char * root);

    /// Takes text that needs not end with a token; false, without effect, when it does not fit.
    bool take(const std::string & text);

    /// Drops the tokens that do not fit next.
    void mask(candidates & tokens) const;

    bool fits(int32_t token) const;

    void accept(int32_t token);

  private:
    bool is_hidden(int32_t token) const { return hidden[static_cast<size_t>(token)]; }

    std::unique_ptr<llama_grammar, grammar_deleter> state;
    /// Tokens that llama.cpp would match by a text which they do not show: control tokens, except those that end the
    /// reply and those that the grammar spells out.
    std::vector<bool> hidden;
};

/// The grammar of a reply, and whether the reply has reached it.
class reply_grammar {
  public:
    reply_grammar(const vocabulary & vocab, const cl_sampler_params & params);

    /// What constrains the next token, or null.
    grammar_matcher * current();

    /// Lets the grammar begin with `text`, which the reply has already; false, without effect, when it does not fit.
    bool begin(const std::string & text);

    /// Notes a token that ends the thinking, whatever the grammar says: none of its business, unless it describes the
    /// thinking too.
    void accept_forced(int32_t token);

  private:
    grammar_matcher whole;
    /// Constrains what comes before the grammar begins.
    std::optional<grammar_matcher> lead;
    bool covers_thinking;
    bool has_begun;
};

}  // namespace cllama
