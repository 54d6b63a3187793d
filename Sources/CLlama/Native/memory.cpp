#include "cl_context.h"

#include "context.hpp"
#include "guard.hpp"
#include "untouched_memory.hpp"

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
        if (from <= 0) {
            if (context->predictor) {
                context->predictor->remove(sequence, 0);
            }
            // Also when the sequence looks empty: after a checkpoint failed, some layers may still hold tokens.
            return llama_memory_seq_rm(context->memory(), sequence, -1, -1);
        }
        if (from > context->last_position(sequence)) {
            return true;
        }
        return context->keeps_window_before(from, sequence) &&
               llama_memory_seq_rm(context->memory(), sequence, from, -1);
    });
}

bool cl_memory_can_remove(const cl_context * context, int32_t sequence, int32_t from) noexcept {
    return cllama::guarded_value(false, [&] {
        if (!context->holds(sequence) || context->is_broken) {
            return false;
        }
        return from <= 0 || from > context->last_position(sequence) ||
               (!cl_context_keeps_state(context) && context->keeps_window_before(from, sequence));
    });
}

bool cl_memory_can_copy(const cl_context * context) noexcept {
    // Cells that two sequences share are not reused when they leave a window, so copies could fill a small cache.
    return cllama::guarded_value(false, [&] {
        return !cl_context_keeps_state(context) && llama_model_n_swa(context->model->weights.get()) <= 0;
    });
}

bool cl_memory_copy(cl_context * context, int32_t source, int32_t target, int32_t count) noexcept {
    return cllama::guarded_value(false, [&] {
        if (!context->holds(source) || !context->holds(target) || source == target || context->is_broken ||
            !cl_memory_can_copy(context) || count <= 0 || count > context->last_position(source) + 1 ||
            context->last_position(target) >= 0) {
            return false;
        }
        llama_memory_seq_cp(context->memory(), source, target, 0, count);
        if (context->predictor) {
            context->predictor->copy(source, target, count);
        }
        return context->last_position(target) == count - 1;
    });
}

void cl_memory_clear(cl_context * context) noexcept {
    cllama::guarded([&] {
        context->has_logits.clear();
        const cllama::untouched_memory untouched;
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
