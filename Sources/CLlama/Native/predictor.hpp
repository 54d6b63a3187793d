#pragma once

#include "cl_context.h"
#include "context_params.hpp"
#include "llama_speculative.hpp"

#include "llama.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace cllama {

/// A context for the prediction layers of the model that `target` computes, with the parameters of that one.
///
/// Throws when llama.cpp refuses it.
context_pointer make_prediction_context(llama_model * model, llama_context * target, llama_context_params params);

/// The layers of a model that predict tokens beyond the next one, with a cache of their own.
///
/// They read what the model makes of each token, so they have to see every batch of it. What they miss makes their
/// drafts worse, and nothing else.
class predictor {
  public:
    /// Throws when the model has no such layers, or llama.cpp refuses a context for them.
    predictor(llama_model * model, llama_context * target, const llama_context_params & params, int32_t maximum_tokens);

    llama_context * context() const { return raw.get(); }

    /// Whether it reads what the target computes, which costs about a layer more.
    bool is_following = true;

    /// Reads a batch that `target` has just computed.
    void follow(const cl_batch_entry * entries, size_t count);

    /// Tokens that may follow `token`, which is at `position` and was not computed yet; at most `count`.
    std::vector<int32_t> draft(int32_t sequence, int32_t token, int32_t position, int32_t count);

    /// The target kept so many tokens of the last draft.
    void accept(int32_t sequence, int32_t count);

    /// Lets the empty sequence `copy` begin as `source`.
    void copy(int32_t source, int32_t copy, int32_t count);

    /// Drops what a sequence has from `position` on.
    void remove(int32_t sequence, int32_t position);

  private:
    llama_memory_t memory() const { return llama_get_memory(raw.get()); }

    int32_t end(int32_t sequence) const { return llama_memory_seq_pos_max(memory(), sequence) + 1; }

    context_pointer raw;
    common_params_speculative params;
    common_speculative_ptr speculation;
    common_batch batch;
    llama_tokens draft_tokens;
    /// Which sequences have a draft that was not answered yet.
    std::vector<bool> has_draft;
    /// What it holds is unknown after a failure.
    bool is_broken = false;
};

}  // namespace cllama
