#pragma once

#include "abort_signal.hpp"
#include "cl_context.h"
#include "context_params.hpp"
#include "model.hpp"
#include "predictor.hpp"
#include "thread_pool.hpp"

#include "llama.h"

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

namespace cllama {

/// A batch of llama.cpp with room for a fixed number of entries of one sequence each.
class token_batch {
  public:
    explicit token_batch(uint32_t capacity) : batch(llama_batch_init(static_cast<int32_t>(capacity), 0, 1)) {}
    ~token_batch() { llama_batch_free(batch); }
    token_batch(const token_batch &) = delete;
    token_batch & operator=(const token_batch &) = delete;

    void fill(const cl_batch_entry * entries, size_t count);

    const llama_batch & raw() const { return batch; }

  private:
    llama_batch batch;
};

}  // namespace cllama

struct cl_context {
    cl_model * model;
    /// Declared before `raw`, whose abort callback reads it until it is freed.
    cllama::abort_signal abort;
    /// Set while nobody waits for what this context does; `abort` also stops work that others still want.
    std::atomic<bool> is_unwanted{false};
    cllama::context_pointer raw;
    /// Null unless the model's prediction layers are in use.
    std::unique_ptr<cllama::predictor> predictor;
    /// Shared with the contexts that take turns with this one; left before `raw` is freed.
    std::shared_ptr<cllama::thread_pool> threads;
    /// Most entries of one batch and most of them with logits.
    uint32_t batch_size;
    uint32_t maximum_outputs;
    int32_t maximum_sequences;
    cllama::token_batch batch;
    /// Which entries of the last decode have logits; empty after a failed one.
    std::vector<bool> has_logits;
    /// llama.cpp hit a failed assertion while working on this context, whose state is therefore unknown.
    bool is_broken = false;

    cl_context(cl_model * model, const cl_context_params & params);
    ~cl_context();

    /// Drafts with the model's prediction layers from now on. Throws when there are none.
    void add_predictor(const cl_context_params & params);

    /// Computes with the threads of `other`.
    void share_threads(const cl_context & other);

    llama_memory_t memory() const { return llama_get_memory(raw.get()); }

    bool holds(int32_t sequence) const { return sequence >= 0 && sequence < maximum_sequences; }

    /// When servers that do not answer are given up sooner.
    cllama::stop_request abandonment() const;

    /// −1 when the sequence is empty.
    int32_t last_position(int32_t sequence) const;

    /// Whether a token at `position` would still see all that a sliding window shows it: llama.cpp drops what left the
    /// window, and would compute on without it.
    bool keeps_window_before(int32_t position, int32_t sequence) const;

    void prove_adapters();

  private:
    void prove();
};
