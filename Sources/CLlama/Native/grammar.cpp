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
constexpr const char * space_rule = "\ncarbocation-space ::= [ \\t\\n\\r]{0,4}\n";

std::string literal(const char * text) {
    std::string result = "\"";
    for (const char * at = text; *at; ++at) {
        if (*at == '\n') {
            result += "\\n";
            continue;
        }
        result += *at == '"' || *at == '\\' ? "\\" : "";
        result += *at;
    }
    return result + "\"";
}

struct rooted_grammar {
    std::string text;
    const char * root;
};

rooted_grammar whole_of(const cl_sampler_params & params) {
    const bool follows_thinking =
        params.grammar_start == CL_GRAMMAR_AFTER_MARKER || params.grammar_start == CL_GRAMMAR_OR_THINKING;
    if (!follows_thinking) {
        return {params.grammar, "root"};
    }
    return {std::string(params.grammar) + space_rule + "carbocation-reply ::= carbocation-space root\n",
            "carbocation-reply"};
}

/// Either the grammar at once, or thinking and then anything, for which the grammar begins anew. The closer is spelled
/// out because its token could not come otherwise.
rooted_grammar lead_of(const cl_sampler_params & params) {
    require(params.thinking_opener && params.thinking_closer && *params.thinking_opener, CL_INVALID_ARGUMENT,
            "a grammar that thinking may come before needs the opener and the closer");
    return {std::string(params.grammar) + space_rule +
                "carbocation-lead ::= carbocation-space (root | " + literal(params.thinking_opener) +
                " [^\\x00]* (" + literal(params.thinking_closer) + " [^\\x00]*)?)\n",
            "carbocation-lead"};
}

}  // namespace

grammar_matcher::grammar_matcher(const vocabulary & vocab, const std::string & text, const char * root) {
    require(vocab.exists(), CL_GRAMMAR_INVALID, "a model without a vocabulary cannot follow a grammar");
    const gbnf grammar = parse_gbnf(text, vocab);
    check_gbnf(grammar);
    hidden = hidden_tokens(vocab, grammar);
    state.reset(llama_grammar_init_impl(vocab.raw(), text.c_str(), root, false, nullptr, 0, nullptr, 0));
    require(state != nullptr, CL_GRAMMAR_INVALID, "llama.cpp refused the grammar");
}

bool grammar_matcher::take(const std::string & text) {
    if (text.empty()) {
        return true;
    }
    decltype(state) advanced(llama_grammar_clone_impl(*state));
    try {
        llama_grammar_accept_str(*advanced, text);
    } catch (const std::exception &) {
        return false;
    }
    state = std::move(advanced);
    return true;
}

void grammar_matcher::mask(candidates & tokens) const {
    tokens.remove_if([this](const llama_token_data & entry) { return is_hidden(entry.id); });
    tokens.apply([this](llama_token_data_array & array) { llama_grammar_apply_impl(*state, &array); });
    tokens.tidy();
}

bool grammar_matcher::fits(int32_t token) const {
    if (is_hidden(token)) {
        return false;
    }
    llama_token_data entry = {token, 1, 0};
    llama_token_data_array array = {&entry, 1, -1, false};
    llama_grammar_apply_impl(*state, &array);
    return entry.logit > 0;
}

void grammar_matcher::accept(int32_t token) {
    llama_grammar_accept_impl(*state, token);
}

reply_grammar::reply_grammar(const vocabulary & vocab, const cl_sampler_params & params)
    : whole(vocab, whole_of(params).text, whole_of(params).root),
      covers_thinking(params.grammar_covers_thinking),
      has_begun(params.grammar_start == CL_GRAMMAR_EAGER) {
    if (params.grammar_start == CL_GRAMMAR_OR_THINKING) {
        const rooted_grammar rooted = lead_of(params);
        lead.emplace(vocab, rooted.text, rooted.root);
    }
}

grammar_matcher * reply_grammar::current() {
    if (has_begun) {
        return &whole;
    }
    return lead ? &*lead : nullptr;
}

void reply_grammar::accept_forced(int32_t token) {
    if (!covers_thinking || !has_begun) {
        return;
    }
    if (whole.fits(token)) {
        whole.accept(token);
    } else {
        has_begun = false;
    }
}

bool reply_grammar::begin(const std::string & text) {
    has_begun = has_begun || whole.take(text);
    return has_begun;
}

}  // namespace cllama
