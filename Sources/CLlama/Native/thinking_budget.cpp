#include "thinking_budget.hpp"

#include "guard.hpp"

#include "common/reasoning-budget.h"

namespace cllama {

std::vector<int32_t> tokens_of(const cl_token_span & span, const vocabulary & vocab) {
    std::vector<int32_t> tokens(span.tokens, span.tokens + (span.tokens ? span.count : 0));
    for (const int32_t token : tokens) {
        require(vocab.contains(token), CL_INVALID_ARGUMENT, "a token is not in the vocabulary");
    }
    return tokens;
}

thinking_budget::thinking_budget(const vocabulary & vocab, const cl_thinking_budget & budget)
    : vocab(vocab), forced(tokens_of(budget.forced, vocab)) {
    require(!forced.empty(), CL_INVALID_ARGUMENT, "there is nothing to end the thinking with");
    require(budget.tokens >= 0, CL_INVALID_ARGUMENT, "the thinking budget is negative");
    const auto start = budget.is_counting ? REASONING_BUDGET_COUNTING : REASONING_BUDGET_IDLE;
    sampler.reset(common_reasoning_budget_init(vocab.raw(), {tokens_of(budget.opener, vocab)},
                                               {tokens_of(budget.closer, vocab)}, forced, budget.tokens, start));
}

cl_thinking_state thinking_budget::state() const {
    if (!sampler) {
        return CL_THINKING_DONE;
    }
    switch (common_reasoning_budget_get_state(sampler.get())) {
        case REASONING_BUDGET_IDLE: return CL_THINKING_IDLE;
        case REASONING_BUDGET_COUNTING: return CL_THINKING_COUNTING;
        case REASONING_BUDGET_WAITING_UTF8: return CL_THINKING_WAITING;
        case REASONING_BUDGET_FORCING: return CL_THINKING_FORCING;
        case REASONING_BUDGET_DONE: return CL_THINKING_DONE;
    }
    return CL_THINKING_DONE;
}

bool thinking_budget::force(const std::vector<int32_t> & tokens) {
    if (state() != CL_THINKING_COUNTING || tokens.empty()) {
        return false;
    }
    forced = tokens;
    position = 0;
    // Without a budget counting is forcing.
    sampler.reset(common_reasoning_budget_init(vocab.raw(), {}, {}, forced, 0, REASONING_BUDGET_COUNTING));
    return true;
}

void thinking_budget::accept(int32_t token) {
    if (!sampler) {
        return;
    }
    position += is_forcing() ? 1 : 0;
    llama_sampler_accept(sampler.get(), token);
    if (state() == CL_THINKING_DONE) {
        sampler.reset();
    }
}

}  // namespace cllama
