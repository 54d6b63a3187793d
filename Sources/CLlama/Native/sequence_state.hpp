#pragma once

#include "context.hpp"

namespace cllama {

/// Bytes that the state of a sequence takes; 0 when there is none, or it cannot be told. `flags` say which part of it.
size_t sequence_state_size(const cl_context & context, int32_t sequence, llama_state_seq_flags flags);

/// Writes the state of a sequence; gives the bytes written, 0 when they do not fit `capacity` or cannot be had.
size_t save_sequence_state(const cl_context & context, int32_t sequence, void * bytes, size_t capacity,
                           llama_state_seq_flags flags);

}  // namespace cllama
