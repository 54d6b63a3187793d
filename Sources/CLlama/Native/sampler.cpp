#include "cl_sampler.h"

#include "chain.hpp"
#include "context.hpp"
#include "grammar.hpp"
#include "guard.hpp"
#include "thinking_budget.hpp"

#include <memory>
#include <string>
#include <vector>

struct cl_sampler {
    const cl_model * model;
    cllama::sampler_chain chain;
    std::unique_ptr<cllama::reply_grammar> grammar;
    std::unique_ptr<cllama::thinking_budget> budget;
    /// Tokens that the model's file wants never to be chosen.
    std::vector<bool> suppressed;
    std::string description;
    cllama::candidates tokens;

    cl_sampler(const cl_model * model, const cl_sampler_params & params);

    int32_t sample(const float * logits);

  private:
    cllama::grammar_matcher * constraint() { return grammar ? grammar->current() : nullptr; }
    int32_t choose(const float * logits);
    int32_t choose_fitting(const float * logits);
    void accept(int32_t token);
};

namespace {

using cllama::require;

std::string describe(const std::vector<std::string> & labels, const cl_sampler_params & params) {
    const std::string grammar = params.grammar_start == CL_GRAMMAR_EAGER ? "grammar:eager" : "grammar:lazy";
    std::string text;
    bool is_pending = params.grammar != nullptr;
    for (const std::string & label : labels) {
        // The grammar decides after the penalties and before anything cuts candidates off.
        if (is_pending && label != "penalties") {
            text += text.empty() ? grammar : "," + grammar;
            is_pending = false;
        }
        text += text.empty() ? label : "," + label;
    }
    return text;
}

/// Beyond this many tokens asked one by one, asking about all of them at once is faster.
constexpr size_t tokens_asked_singly = 512;

std::vector<bool> suppressed_tokens(const cllama::vocabulary & vocab) {
    std::vector<bool> suppressed(static_cast<size_t>(vocab.size()));
    int32_t count = 0;
    const int32_t * const tokens = llama_vocab_get_suppress_tokens(vocab.raw(), &count);
    for (int32_t index = 0; index < count; ++index) {
        if (vocab.contains(tokens[index])) {
            suppressed[static_cast<size_t>(tokens[index])] = true;
        }
    }
    return suppressed;
}

}  // namespace

cl_sampler::cl_sampler(const cl_model * model, const cl_sampler_params & params)
    : model(model), chain(params, model->vocab.size()), suppressed(suppressed_tokens(model->vocab)) {
    if (params.grammar) {
        grammar = std::make_unique<cllama::reply_grammar>(model->vocab, params);
    }
    description = describe(chain.labels(), params);
}

/// Chooses without the grammar.
int32_t cl_sampler::choose(const float * logits) {
    if (chain.is_argmax()) {
        const int32_t token = cllama::highest(logits, model->vocab.size());
        if (token < 0 || !suppressed[static_cast<size_t>(token)]) {
            return token;
        }
    }
    tokens.assign(logits, suppressed);
    return chain.pick(tokens);
}

/// Checking one token against a grammar is cheap, the whole vocabulary is not: so the grammar is asked about the
/// chosen token first, then about the likeliest others, and only then masks them all.
int32_t cl_sampler::choose_fitting(const float * logits) {
    const int32_t token = choose(logits);
    const cllama::grammar_matcher * const matcher = constraint();
    if (!matcher || token < 0 || matcher->fits(token)) {
        return token;
    }
    tokens.assign(logits, suppressed);
    const auto fits = [matcher](const llama_token_data & entry) { return matcher->fits(entry.id); };
    if (chain.reach() == 0 || !tokens.keep_likeliest(chain.reach(), tokens_asked_singly, fits)) {
        matcher->mask(tokens);
    }
    return chain.pick(tokens);
}

int32_t cl_sampler::sample(const float * logits) {
    if (budget && budget->is_forcing()) {
        const int32_t token = budget->forced_token();
        budget->accept(token);
        if (grammar) {
            grammar->accept_forced(token);
        }
        chain.remember(token);
        return token;
    }
    const int32_t token = choose_fitting(logits);
    require(token >= 0, CL_SAMPLER_FAILED,
            constraint() ? "no token fits the grammar" : "the model gave no usable probability for any token");
    accept(token);
    return token;
}

void cl_sampler::accept(int32_t token) {
    if (cllama::grammar_matcher * const matcher = constraint()) {
        matcher->accept(token);
    }
    if (budget) {
        budget->accept(token);
    }
    // Tokens that end a reply stay out of the history, so no penalty ever makes them less likely.
    if (!llama_vocab_is_eog(model->vocab.raw(), token)) {
        chain.remember(token);
    }
}

cl_status cl_sampler_create(const cl_model * model, const cl_sampler_params * params,
                            cl_sampler ** out_sampler) noexcept {
    return cllama::guarded([&] { *out_sampler = new cl_sampler(model, *params); }, CL_SAMPLER_FAILED);
}

void cl_sampler_free(cl_sampler * sampler) noexcept {
    cllama::guarded([&] { delete sampler; });
}

cl_status cl_sampler_sample(cl_sampler * sampler, cl_context * context, int32_t index, int32_t * out_token) noexcept {
    return cllama::guarded([&] {
        require(context->model == sampler->model, CL_INVALID_ARGUMENT, "the sampler belongs to another model");
        const float * const logits = cl_context_logits(context, index);
        require(logits != nullptr, CL_INVALID_ARGUMENT, "the batch entry has no logits");
        try {
            *out_token = sampler->sample(logits);
        } catch (const cllama::failure &) {
            throw;
        } catch (const std::exception &) {
            // llama.cpp's own message may quote the reply.
            throw cllama::failure(CL_SAMPLER_FAILED, "llama.cpp could not accept the sampled token");
        }
    });
}

cl_status cl_sampler_begin_grammar(cl_sampler * sampler, const char * text, size_t length) noexcept {
    return cllama::guarded([&] {
        const bool fits = !sampler->grammar || sampler->grammar->begin(std::string(text, length));
        require(fits, CL_GRAMMAR_INVALID, "the reply does not begin as the grammar says");
    });
}

cl_status cl_sampler_limit_thinking(cl_sampler * sampler, const cl_thinking_budget * budget) noexcept {
    return cllama::guarded([&] {
        sampler->budget = std::make_unique<cllama::thinking_budget>(sampler->model->vocab, *budget);
        if (sampler->description.compare(0, 16, "reasoning-budget") != 0) {
            sampler->description = "reasoning-budget," + sampler->description;
        }
    });
}

bool cl_sampler_end_thinking(cl_sampler * sampler, cl_token_span forced) noexcept {
    return cllama::guarded_value(false, [&] {
        return sampler->budget && sampler->budget->force(cllama::tokens_of(forced, sampler->model->vocab));
    });
}

cl_thinking_state cl_sampler_thinking_state(const cl_sampler * sampler) noexcept {
    return sampler->budget ? sampler->budget->state() : CL_THINKING_NO_BUDGET;
}

const char * cl_sampler_description(const cl_sampler * sampler) noexcept {
    return sampler->description.c_str();
}
