#pragma once

#include "chain.hpp"
#include "vocabulary.hpp"

#include <memory>
#include <string>
#include <vector>

namespace cllama {

/// A grammar and how far a reply has come in it.
class grammar_state {
  public:
    grammar_state(const vocabulary & vocab, const std::string & text);

    /// Drops the tokens that do not fit next.
    void mask(candidates & tokens) const;

    bool fits(int32_t token) const;

    void accept(int32_t token);

  private:
    bool is_hidden(int32_t token) const { return hidden[static_cast<size_t>(token)]; }

    sampler_pointer sampler;
    /// Tokens that llama.cpp would match by a text which they do not show: control tokens, except those that end the
    /// reply and those that the grammar spells out.
    std::vector<bool> hidden;
};

}  // namespace cllama
