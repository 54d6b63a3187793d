#pragma once

#include "chain.hpp"
#include "cl_sampler.h"
#include "vocabulary.hpp"

#include <vector>

namespace cllama {

/// Counts the tokens that a reply thinks and then makes it end: llama.cpp's budget sampler for one block of thinking.
class thinking_budget {
  public:
    thinking_budget(const vocabulary & vocab, const cl_thinking_budget & budget);

    cl_thinking_state state() const;

    /// Makes the reply go on with these tokens; false unless it is counting.
    bool force(const std::vector<int32_t> & tokens);

    bool is_forcing() const { return state() == CL_THINKING_FORCING; }

    /// The token that must come next while forcing.
    int32_t forced_token() const { return forced[position]; }

    /// Notes a token of the reply.
    void accept(int32_t token);

  private:
    const vocabulary & vocab;
    /// None once a block of thinking has ended: llama.cpp's own would count the next block anew.
    sampler_pointer sampler;
    std::vector<int32_t> forced;
    size_t position = 0;
};

/// Checks and copies tokens.
std::vector<int32_t> tokens_of(const cl_token_span & span, const vocabulary & vocab);

}  // namespace cllama
