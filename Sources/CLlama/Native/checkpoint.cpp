#include "cl_context.h"

#include "guard.hpp"
#include "sequence_state.hpp"

namespace {

/// Only what cannot be cut; llama.cpp's server keeps its context checkpoints with the same flag.
constexpr llama_state_seq_flags flags = LLAMA_STATE_SEQ_FLAGS_PARTIAL_ONLY;

bool restore(cl_context & context, int32_t sequence, const void * bytes, size_t size, int32_t count) {
    if (size == 0 || count <= 0) {
        return false;
    }
    const unsigned long aborts = cllama::aborts_on_this_thread();
    context.has_logits.clear();
    size_t read = 0;
    context.model->servers.watched(context.abandonment(), [&] {
        read = llama_state_seq_set_data_ext(context.raw.get(), static_cast<const uint8_t *>(bytes), size, sequence,
                                            flags);
    });
    context.is_broken = aborts != cllama::aborts_on_this_thread();
    // The layers that were not restored still hold what came later, of which the last position tells nothing.
    return read == size && !context.is_broken && llama_memory_seq_rm(context.memory(), sequence, count, -1) &&
           context.last_position(sequence) == count - 1;
}

}  // namespace

bool cl_checkpoint_is_needed(const cl_context * context, int32_t count) noexcept {
    return cllama::guarded_value(false, [&] {
        const int32_t window = llama_model_n_swa(context->model->weights.get());
        return cl_context_keeps_state(context) || (window > 0 && count > window);
    });
}

size_t cl_checkpoint_size(cl_context * context, int32_t sequence) noexcept {
    return cllama::guarded_value(size_t(0), [&] { return cllama::sequence_state_size(*context, sequence, flags); });
}

size_t cl_checkpoint_save(cl_context * context, int32_t sequence, void * bytes, size_t capacity) noexcept {
    return cllama::guarded_value(
        size_t(0), [&] { return cllama::save_sequence_state(*context, sequence, bytes, capacity, flags); });
}

bool cl_checkpoint_restore(cl_context * context, int32_t sequence, const void * bytes, size_t size,
                           int32_t count) noexcept {
    return cllama::guarded_value(false, [&] {
        return context->holds(sequence) && !context->is_broken && context->last_position(sequence) >= 0 &&
               restore(*context, sequence, bytes, size, count);
    });
}

bool cl_checkpoint_copy(cl_context * context, int32_t source, int32_t target, const void * bytes, size_t size,
                        int32_t count) noexcept {
    return cllama::guarded_value(false, [&] {
        if (!context->holds(source) || !context->holds(target) || source == target || context->is_broken ||
            count <= 0 || count > context->last_position(source) + 1 || context->last_position(target) >= 0) {
            return false;
        }
        // Windows and states that this copies too are replaced by those of the checkpoint.
        llama_memory_seq_cp(context->memory(), source, target, 0, count);
        return restore(*context, target, bytes, size, count);
    });
}
