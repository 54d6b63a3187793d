#include "chain.hpp"

#include "guard.hpp"

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <random>

namespace cllama {

namespace {

/// Further back than any penalty is asked to look; keeps the history's memory bounded.
constexpr int32_t maximum_window = 1 << 20;

void check(const cl_sampler_params & params) {
    const bool is_finite = std::isfinite(params.temperature) && std::isfinite(params.top_p) &&
                           std::isfinite(params.min_p) && std::isfinite(params.presence_penalty) &&
                           std::isfinite(params.repetition_penalty);
    require(is_finite, CL_INVALID_ARGUMENT, "a sampling option is no finite number");
    require(params.top_p >= 0, CL_INVALID_ARGUMENT, "top-p is negative");
    require(params.min_p >= 0 && params.min_p <= 1, CL_INVALID_ARGUMENT, "min-p is not within 0 and 1");
    require(params.repetition_penalty > 0 && std::isfinite(1 / params.repetition_penalty), CL_INVALID_ARGUMENT,
            "the repetition penalty is not above 0");
    require(params.penalty_window >= 0 && params.penalty_window <= maximum_window, CL_INVALID_ARGUMENT,
            "the penalty window is not within 0 and 1048576");
}

/// llama.cpp takes this one seed as a request for a random one; here it is a seed like any other.
uint32_t fixed_seed(uint32_t seed) {
    return seed == LLAMA_DEFAULT_SEED ? std::mt19937(seed)() : seed;
}

}  // namespace

void candidates::assign(const float * logits, const std::vector<bool> & suppressed) {
    entries.resize(suppressed.size());
    size_t kept = 0;
    for (size_t token = 0; token < suppressed.size(); ++token) {
        entries[kept] = {static_cast<int32_t>(token), std::min(logits[token], FLT_MAX), 0};
        // No comparison holds for NaN.
        kept += logits[token] >= -FLT_MAX && !suppressed[token] ? 1 : 0;
    }
    entries.resize(kept);
    selection = -1;
    is_sorted = false;
}

void candidates::tidy() {
    remove_if([](const llama_token_data & entry) {
        return std::isnan(entry.logit) || (std::isinf(entry.logit) && entry.logit < 0);
    });
    for (llama_token_data & entry : entries) {
        entry.logit = std::min(entry.logit, FLT_MAX);
    }
}

void candidates::lower_to_zero() {
    float highest = -FLT_MAX;
    for (const llama_token_data & entry : entries) {
        highest = std::max(highest, entry.logit);
    }
    for (llama_token_data & entry : entries) {
        entry.logit = std::max(entry.logit - highest, -FLT_MAX);
    }
}

void candidates::apply(llama_sampler * sampler) {
    apply([sampler](llama_token_data_array & array) { llama_sampler_apply(sampler, &array); });
}

int32_t candidates::selected() const {
    const bool is_inside = selection >= 0 && static_cast<size_t>(selection) < entries.size();
    return is_inside ? entries[static_cast<size_t>(selection)].id : -1;
}

int32_t highest(const float * logits, int32_t count) {
    // Independent maxima let the compiler compare many logits at once. NaN never compares as greater.
    constexpr int32_t lane_count = 16;
    float lanes[lane_count];
    std::fill(lanes, lanes + lane_count, -INFINITY);
    const int32_t bulk = count - count % lane_count;
    for (int32_t start = 0; start < bulk; start += lane_count) {
        for (int32_t lane = 0; lane < lane_count; ++lane) {
            const float logit = logits[start + lane];
            lanes[lane] = logit > lanes[lane] ? logit : lanes[lane];
        }
    }
    float top = *std::max_element(lanes, lanes + lane_count);
    for (int32_t token = bulk; token < count; ++token) {
        top = logits[token] > top ? logits[token] : top;
    }
    // An infinite logit is no better than the largest number, as in the candidates of the other samplers.
    top = std::min(top, FLT_MAX);
    const float * const end = logits + count;
    const float * const found = std::find_if(logits, end, [top](float logit) { return logit >= top; });
    return top == -INFINITY || found == end ? -1 : static_cast<int32_t>(found - logits);
}

sampler_chain::sampler_chain(const cl_sampler_params & params, int32_t vocabulary_size) {
    check(params);
    if (params.penalty_window > 0) {
        names.push_back("penalties");
        if (params.repetition_penalty != 1 || params.presence_penalty != 0) {
            penalties.reset(llama_sampler_init_penalties(vocabulary_size, params.penalty_window,
                                                         params.repetition_penalty, 0, params.presence_penalty));
        }
    }
    if (params.temperature <= 0) {
        choice.reset(llama_sampler_init_greedy());
        leading = 1;
        names.push_back("greedy");
        return;
    }
    if (params.top_k > 0) {
        leading = static_cast<size_t>(params.top_k);
        add("top-k", llama_sampler_init_top_k(params.top_k));
    }
    if (params.top_p < 1) {
        add("top-p", llama_sampler_init_top_p(params.top_p, 1));
    }
    if (params.min_p > 0) {
        add("min-p", llama_sampler_init_min_p(params.min_p, 1));
    }
    temperature.reset(llama_sampler_init_temp(params.temperature));
    choice.reset(llama_sampler_init_dist(fixed_seed(params.seed)));
    names.push_back("temperature");
    names.push_back("distribution");
}

void sampler_chain::add(const char * name, llama_sampler * sampler) {
    filters.emplace_back(sampler);
    names.push_back(name);
}

int32_t sampler_chain::pick(candidates & tokens) {
    if (penalties) {
        tokens.apply(penalties.get());
        tokens.tidy();
    }
    if (tokens.is_empty()) {
        return -1;
    }
    for (const sampler_pointer & filter : filters) {
        tokens.apply(filter.get());
    }
    if (temperature) {
        tokens.lower_to_zero();
        tokens.apply(temperature.get());
        tokens.tidy();
    }
    tokens.apply(choice.get());
    return tokens.selected();
}

void sampler_chain::remember(int32_t token) {
    if (penalties) {
        llama_sampler_accept(penalties.get(), token);
    }
}

}  // namespace cllama
