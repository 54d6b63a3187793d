#include "grammar.hpp"

#include "gbnf.hpp"
#include "guard.hpp"

#include <cmath>
#include <cstring>

namespace cllama {

namespace {

std::vector<bool> hidden_tokens(const vocabulary & vocab, const gbnf & grammar) {
    std::vector<bool> hidden(static_cast<size_t>(vocab.size()));
    for (int32_t token = 0; token < vocab.size(); ++token) {
        const int attributes = llama_vocab_get_attr(vocab.raw(), token);
        const bool is_silent = (attributes & (LLAMA_TOKEN_ATTR_CONTROL | LLAMA_TOKEN_ATTR_UNKNOWN)) != 0;
        if (is_silent && !llama_vocab_is_eog(vocab.raw(), token)) {
            const char * const text = llama_vocab_get_text(vocab.raw(), token);
            hidden[static_cast<size_t>(token)] = grammar.literals.find(text) == std::string::npos;
        }
    }
    for (const int32_t token : grammar.tokens) {
        hidden[static_cast<size_t>(token)] = false;
    }
    return hidden;
}

}  // namespace

grammar_state::grammar_state(const vocabulary & vocab, const std::string & text) {
    require(vocab.exists(), CL_GRAMMAR_INVALID, "a model without a vocabulary cannot follow a grammar");
    const gbnf grammar = parse_gbnf(text, vocab);
    check_gbnf(grammar);
    hidden = hidden_tokens(vocab, grammar);
    sampler.reset(llama_sampler_init_grammar(vocab.raw(), text.c_str(), "root"));
    require(sampler != nullptr, CL_GRAMMAR_INVALID, "llama.cpp refused the grammar");
}

void grammar_state::mask(candidates & tokens) const {
    tokens.remove_if([this](const llama_token_data & entry) { return is_hidden(entry.id); });
    tokens.apply(sampler.get());
    tokens.tidy();
}

bool grammar_state::fits(int32_t token) const {
    if (is_hidden(token)) {
        return false;
    }
    llama_token_data entry = {token, 1, 0};
    llama_token_data_array array = {&entry, 1, -1, false};
    llama_sampler_apply(sampler.get(), &array);
    return entry.logit > 0;
}

void grammar_state::accept(int32_t token) {
    llama_sampler_accept(sampler.get(), token);
}

}  // namespace cllama
