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

/// White space that a reply may put between its thinking and what the grammar describes.
constexpr const char * leading_space = "carbocation-lead ::= [ \\t\\n\\r]{0,4} root\n";
constexpr const char * leading_space_root = "carbocation-lead";

}  // namespace

grammar_state::grammar_state(const vocabulary & vocab, const std::string & text, cl_grammar_start start)
    : active(start == CL_GRAMMAR_EAGER) {
    require(vocab.exists(), CL_GRAMMAR_INVALID, "a model without a vocabulary cannot follow a grammar");
    const gbnf grammar = parse_gbnf(text, vocab);
    check_gbnf(grammar);
    hidden = hidden_tokens(vocab, grammar);
    const bool allows_space = start == CL_GRAMMAR_AFTER_MARKER;
    const std::string whole = allows_space ? text + "\n" + leading_space : text;
    const char * const root = allows_space ? leading_space_root : "root";
    state.reset(llama_grammar_init_impl(vocab.raw(), whole.c_str(), root, false, nullptr, 0, nullptr, 0));
    require(state != nullptr, CL_GRAMMAR_INVALID, "llama.cpp refused the grammar");
}

bool grammar_state::begin(const std::string & text) {
    if (!active && !text.empty()) {
        decltype(state) advanced(llama_grammar_clone_impl(*state));
        try {
            llama_grammar_accept_str(*advanced, text);
        } catch (const std::exception &) {
            return false;
        }
        state = std::move(advanced);
    }
    active = true;
    return true;
}

void grammar_state::mask(candidates & tokens) const {
    tokens.remove_if([this](const llama_token_data & entry) { return is_hidden(entry.id); });
    tokens.apply([this](llama_token_data_array & array) { llama_grammar_apply_impl(*state, &array); });
    tokens.tidy();
}

bool grammar_state::fits(int32_t token) const {
    if (is_hidden(token)) {
        return false;
    }
    llama_token_data entry = {token, 1, 0};
    llama_token_data_array array = {&entry, 1, -1, false};
    llama_grammar_apply_impl(*state, &array);
    return entry.logit > 0;
}

void grammar_state::accept(int32_t token) {
    llama_grammar_accept_impl(*state, token);
}

}  // namespace cllama
