#pragma once

#include "ggml-backend.h"
#include "llama.h"

#include <cstddef>
#include <cstdint>
#include <map>

// llama.cpp exports these functions, but installs their declarations (llama-ext.h) with no build.

struct llama_memory_breakdown_data {
    size_t model = 0;
    size_t context = 0;
    size_t compute = 0;
};

using llama_memory_breakdown = std::map<ggml_backend_buffer_type_t, llama_memory_breakdown_data>;

llama_memory_breakdown llama_get_memory_breakdown(const llama_context * context);

/// The graph for so many tokens, sequences and outputs; valid until the next call.
ggml_cgraph * llama_graph_reserve(llama_context * context, uint32_t tokens, uint32_t sequences, uint32_t outputs);
