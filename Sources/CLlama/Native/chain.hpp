#pragma once

#include "cl_sampler.h"

#include "llama.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace cllama {

struct sampler_deleter {
    void operator()(llama_sampler * sampler) const { llama_sampler_free(sampler); }
};

using sampler_pointer = std::unique_ptr<llama_sampler, sampler_deleter>;

/// Tokens with their logits. Holds only tokens that can be chosen, so that llama.cpp's samplers never see NaN or an
/// infinity, on which they divide by zero or index with garbage.
class candidates {
  public:
    /// Takes a logit for each token that is not suppressed; NaN and −∞ rule a token out.
    void assign(const float * logits, const std::vector<bool> & suppressed);

    /// Drops what a stage has made impossible.
    void tidy();

    /// Makes 0 the highest logit, so that dividing by a tiny temperature cannot overflow.
    void lower_to_zero();

    bool is_empty() const { return entries.empty(); }

    template <class Predicate>
    void remove_if(Predicate && predicate);

    /// Keeps just the `count` likeliest tokens that satisfy the predicate, the likeliest first, ties by lowest id.
    ///
    /// Looks at no more than `limit` of them; false, with all tokens kept, when that was too few.
    template <class Predicate>
    bool keep_likeliest(size_t count, size_t limit, Predicate && predicate);

    void apply(llama_sampler * sampler);

    /// Lets `change` do to the tokens what a sampler does.
    template <class Change>
    void apply(Change && change);

    /// The token that the last stage selected, or −1.
    int32_t selected() const;

  private:
    std::vector<llama_token_data> entries;
    int64_t selection = -1;
    bool is_sorted = false;
};

/// The token with the highest logit, the first of equals; −1 when all are NaN or −∞.
int32_t highest(const float * logits, int32_t count);

/// The stages from penalties to the choice of a token.
class sampler_chain {
  public:
    sampler_chain(const cl_sampler_params & params, int32_t vocabulary_size);

    /// Whether the choice is always the token with the highest logit.
    bool is_argmax() const { return !penalties && !temperature; }

    /// How many of the likeliest tokens the choice is among, if it depends on nothing else; otherwise 0.
    size_t reach() const { return penalties ? 0 : leading; }

    /// Chooses a token, or gives −1 when there is none to choose from.
    int32_t pick(candidates & tokens);

    /// Adds a token to the history of the penalties.
    void remember(int32_t token);

    /// The names of the stages.
    const std::vector<std::string> & labels() const { return names; }

  private:
    void add(const char * name, llama_sampler * sampler);

    /// Only when they change a logit.
    sampler_pointer penalties;
    /// Top-k, top-p and min-p as far as asked for.
    std::vector<sampler_pointer> filters;
    sampler_pointer temperature;
    sampler_pointer choice;
    size_t leading = 0;
    std::vector<std::string> names;
};

template <class Predicate>
void candidates::remove_if(Predicate && predicate) {
    size_t kept = 0;
    for (const llama_token_data & entry : entries) {
        if (!predicate(entry)) {
            entries[kept++] = entry;
        }
    }
    entries.resize(kept);
}

template <class Predicate>
bool candidates::keep_likeliest(size_t count, size_t limit, Predicate && predicate) {
    const auto is_likelier = [](const llama_token_data & one, const llama_token_data & other) {
        return one.logit != other.logit ? one.logit > other.logit : one.id < other.id;
    };
    const auto end = entries.begin() + static_cast<std::ptrdiff_t>(std::min(limit, entries.size()));
    std::partial_sort(entries.begin(), end, entries.end(), is_likelier);
    std::vector<llama_token_data> kept;
    for (auto entry = entries.begin(); entry != end && kept.size() < count; ++entry) {
        if (predicate(*entry)) {
            kept.push_back(*entry);
        }
    }
    if (kept.size() < count && end != entries.end()) {
        return false;
    }
    entries = std::move(kept);
    return true;
}

template <class Change>
void candidates::apply(Change && change) {
    llama_token_data_array array = {entries.data(), entries.size(), -1, is_sorted};
    change(array);
    if (array.data != entries.data()) {
        entries.assign(array.data, array.data + array.size);
    } else {
        entries.resize(array.size);
    }
    selection = array.selected;
    is_sorted = array.sorted;
}

}  // namespace cllama
