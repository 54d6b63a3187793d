#include "cl_state.h"

#include "guard.hpp"
#include "sequence_state.hpp"

namespace {

/// The whole sequence, in host memory.
constexpr llama_state_seq_flags flags = 0;

bool is_empty(const cl_context & context) {
    for (int32_t sequence = 0; sequence < context.maximum_sequences; ++sequence) {
        if (context.last_position(sequence) >= 0) {
            return false;
        }
    }
    return true;
}

bool read_state(cl_context & context, int32_t sequence, const void * bytes, size_t size, int32_t count) {
    const unsigned long aborts = cllama::aborts_on_this_thread();
    context.has_logits.clear();
    const size_t read =
        llama_state_seq_set_data_ext(context.raw.get(), static_cast<const uint8_t *>(bytes), size, sequence, flags);
    context.is_broken = aborts != cllama::aborts_on_this_thread();
    return read == size && !context.is_broken && context.last_position(sequence) == count - 1 &&
           llama_memory_seq_pos_min(context.memory(), sequence) >= 0;
}

}  // namespace

size_t cl_state_size(cl_context * context, int32_t sequence) noexcept {
    return cllama::guarded_value(size_t(0), [&] { return cllama::sequence_state_size(*context, sequence, flags); });
}

size_t cl_state_save(cl_context * context, int32_t sequence, void * bytes, size_t capacity) noexcept {
    return cllama::guarded_value(
        size_t(0), [&] { return cllama::save_sequence_state(*context, sequence, bytes, capacity, flags); });
}

bool cl_state_restore(cl_context * context, int32_t sequence, const void * bytes, size_t size,
                      int32_t count) noexcept {
    return cllama::guarded_value(false, [&] {
        if (!context->holds(sequence) || context->is_broken || size == 0 || count <= 0 || !is_empty(*context)) {
            return false;
        }
        bool is_restored = false;
        context->model->servers.watched(context->abandonment(), [&] {
            is_restored = read_state(*context, sequence, bytes, size, count);
            if (!is_restored) {
                // Removing the sequence would leave cells whose positions are negative.
                llama_memory_clear(context->memory(), true);
            }
        });
        return is_restored;
    });
}
