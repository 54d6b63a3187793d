#include "cl_sampler.h"

#include "context.hpp"
#include "guard.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace {

/// NaN counts as impossible, as it does for the samplers.
double logit(const float * logits, int32_t token) {
    return std::isnan(logits[token]) ? -std::numeric_limits<double>::infinity() : logits[token];
}

/// The logarithm of the sum of all exponentials, taken relative to the highest so that none overflows.
double log_sum(const float * logits, int32_t count) {
    double highest = -std::numeric_limits<double>::infinity();
    for (int32_t token = 0; token < count; ++token) {
        highest = std::max(highest, logit(logits, token));
    }
    if (std::isinf(highest)) {
        return highest;
    }
    double sum = 0;
    for (int32_t token = 0; token < count; ++token) {
        sum += std::exp(logit(logits, token) - highest);
    }
    return highest + std::log(sum);
}

/// The tokens with the highest logits, the highest first, ties by lowest id.
std::vector<int32_t> likeliest(const float * logits, int32_t vocabulary_size, size_t count) {
    const auto is_likelier = [logits](int32_t one, int32_t other) {
        const double a = logit(logits, one), b = logit(logits, other);
        return a != b ? a > b : one < other;
    };
    // A heap whose front is the least likely token kept so far.
    std::vector<int32_t> kept;
    for (int32_t token = 0; token < vocabulary_size; ++token) {
        if (kept.size() < count) {
            kept.push_back(token);
            std::push_heap(kept.begin(), kept.end(), is_likelier);
        } else if (!kept.empty() && is_likelier(token, kept.front())) {
            std::pop_heap(kept.begin(), kept.end(), is_likelier);
            kept.back() = token;
            std::push_heap(kept.begin(), kept.end(), is_likelier);
        }
    }
    std::sort_heap(kept.begin(), kept.end(), is_likelier);
    return kept;
}

}  // namespace

cl_status cl_context_logprobs(cl_context * context, int32_t index, int32_t chosen, size_t count, cl_logprob * out,
                              size_t * out_count) noexcept {
    return cllama::guarded([&] {
        const float * const logits = cl_context_logits(context, index);
        cllama::require(logits != nullptr, CL_INVALID_ARGUMENT, "the batch entry has no logits");
        cllama::require(context->model->vocab.contains(chosen), CL_INVALID_ARGUMENT, "the token is not in the vocabulary");
        const int32_t vocabulary_size = context->model->vocab.size();
        const double total = log_sum(logits, vocabulary_size);
        const auto logprob = [&](int32_t token) {
            // Without any possible token the difference would be NaN.
            return std::isinf(total) ? -std::numeric_limits<double>::infinity() : logit(logits, token) - total;
        };
        *out_count = 0;
        out[(*out_count)++] = {chosen, logprob(chosen)};
        for (const int32_t token : likeliest(logits, vocabulary_size, count)) {
            out[(*out_count)++] = {token, logprob(token)};
        }
    });
}

bool cl_context_likeliest(cl_context * context, int32_t index, int32_t * out_token, double * out_probability) noexcept {
    return cllama::guarded_value(false, [&] {
        const float * const logits = cl_context_logits(context, index);
        if (!logits) {
            return false;
        }
        const int32_t vocabulary_size = context->model->vocab.size();
        const std::vector<int32_t> tokens = likeliest(logits, vocabulary_size, 1);
        if (tokens.empty()) {
            return false;
        }
        *out_token = tokens.front();
        *out_probability = std::exp(logit(logits, tokens.front()) - log_sum(logits, vocabulary_size));
        return !std::isnan(*out_probability);
    });
}
