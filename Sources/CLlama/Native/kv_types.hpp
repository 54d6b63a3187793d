#pragma once

#include "cl_context.h"

#include "llama.h"

#include <string>

namespace cllama {

ggml_type kv_type(cl_kv_type type);

llama_flash_attn_type flash_attention(cl_flash_attention mode);

/// Refuses quantised keys that the model cannot be computed with.
///
/// llama.cpp refuses other combinations itself, but without flash attention it lays out keys in rows that their blocks
/// do not divide.
void check_kv_types(const llama_model * model, const cl_context_params & params);

/// Throws `CL_CONTEXT_UNSUPPORTED` with a remedy when this is how llama.cpp refuses types of the cache.
void check_refusal(const std::string & reason);

}  // namespace cllama
