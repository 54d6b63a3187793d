#include "sequence_state.hpp"

size_t cllama::sequence_state_size(const cl_context & context, int32_t sequence, llama_state_seq_flags flags) {
    if (!context.holds(sequence) || context.is_broken || context.last_position(sequence) < 0) {
        return 0;
    }
    return llama_state_seq_get_size_ext(context.raw.get(), sequence, flags);
}

size_t cllama::save_sequence_state(const cl_context & context, int32_t sequence, void * bytes, size_t capacity,
                                   llama_state_seq_flags flags) {
    const size_t size = sequence_state_size(context, sequence, flags);
    if (size == 0 || size > capacity) {
        return 0;
    }
    size_t written = 0;
    context.model->servers.watched(context.abandonment(), [&] {
        written = llama_state_seq_get_data_ext(context.raw.get(), static_cast<uint8_t *>(bytes), size, sequence, flags);
    });
    return written;
}
