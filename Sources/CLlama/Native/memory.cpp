#include "cl_context.h"

#include "context.hpp"
#include "guard.hpp"

int32_t cl_context::last_position(int32_t sequence) const {
    return llama_memory_seq_pos_max(memory(), sequence);
}

bool cl_context::keeps_window_before(int32_t position, int32_t sequence) const {
    const int32_t window = llama_model_n_swa(model->weights.get());
    const int32_t first = llama_memory_seq_pos_min(memory(), sequence);
    return window <= 0 || first <= 0 || first < position - window;
}

bool cl_memory_remove(cl_context * context, int32_t sequence, int32_t from) noexcept {
    return cllama::guarded_value(false, [&] {
        // A negative sequence would mean all of them to llama.cpp.
        if (!context->holds(sequence) || context->is_broken) {
            return false;
        }
        if (from > context->last_position(sequence)) {
            return true;
        }
        if (from <= 0) {
            return llama_memory_seq_rm(context->memory(), sequence, -1, -1);
        }
        return context->keeps_window_before(from, sequence) &&
               llama_memory_seq_rm(context->memory(), sequence, from, -1);
    });
}

void cl_memory_clear(cl_context * context) noexcept {
    cllama::guarded([&] {
        context->has_logits.clear();
        llama_memory_clear(context->memory(), true);
    });
}

int32_t cl_memory_first_position(const cl_context * context, int32_t sequence) noexcept {
    return cllama::guarded_value(int32_t(-1), [&] {
        return context->holds(sequence) ? llama_memory_seq_pos_min(context->memory(), sequence) : -1;
    });
}

int32_t cl_memory_last_position(const cl_context * context, int32_t sequence) noexcept {
    return cllama::guarded_value(int32_t(-1), [&] {
        return context->holds(sequence) ? context->last_position(sequence) : -1;
    });
}
