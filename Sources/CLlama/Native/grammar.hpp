#pragma once

#include "chain.hpp"
#include "cl_sampler.h"
#include "llama_grammar.hpp"
#include "vocabulary.hpp"

#include <memory>
#include <string>
#include <vector>

namespace cllama {

struct grammar_deleter {
    void operator()(llama_grammar * grammar) const { llama_grammar_free_impl(grammar); }
};

/// A grammar and how far a reply has come in it.
class grammar_state {
  public:
    grammar_state(const vocabulary & vocab, const std::string & text, cl_grammar_start start);

    /// Whether the reply has reached the grammar.
    bool is_active() const { return active; }

    /// Lets the grammar begin with `text`, which the reply has already; false, without effect, when it does not fit.
    bool begin(const std::string & text);

    /// Drops the tokens that do not fit next.
    void mask(candidates & tokens) const;

    bool fits(int32_t token) const;

    void accept(int32_t token);

  private:
    bool is_hidden(int32_t token) const { return hidden[static_cast<size_t>(token)]; }

    std::unique_ptr<llama_grammar, grammar_deleter> state;
    bool active;
    /// Tokens that llama.cpp would match by a text which they do not show: control tokens, except those that end the
    /// reply and those that the grammar spells out.
    std::vector<bool> hidden;
};

}  // namespace cllama
