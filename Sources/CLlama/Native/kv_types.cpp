#include "kv_types.hpp"

#include "guard.hpp"
#include "metadata.hpp"

#include <cstdlib>
#include <string>
#include <utility>

namespace cllama {

namespace {

/// Numbers in one head of the keys, as the file says under `key`; 0 when it does not.
int64_t head_width(const llama_model * model, const char * key) {
    return std::strtoll(own_metadata(model, key).c_str(), nullptr, 10);
}

void check_blocks(ggml_type type, int64_t width) {
    if (width % ggml_blck_size(type) != 0) {
        throw failure(CL_CONTEXT_UNSUPPORTED, std::string("the keys of this model cannot be kept as ") +
                                                  ggml_type_name(type) + ": blocks of " +
                                                  std::to_string(ggml_blck_size(type)) +
                                                  " do not divide a head of " + std::to_string(width) +
                                                  ". Set kvTypeK to f16.");
    }
}

}  // namespace

ggml_type kv_type(cl_kv_type type) {
    switch (type) {
        case CL_KV_F16: return GGML_TYPE_F16;
        case CL_KV_BF16: return GGML_TYPE_BF16;
        case CL_KV_Q8_0: return GGML_TYPE_Q8_0;
        case CL_KV_Q4_0: return GGML_TYPE_Q4_0;
    }
    throw failure(CL_INVALID_ARGUMENT, "unknown type of the KV cache");
}

llama_flash_attn_type flash_attention(cl_flash_attention mode) {
    switch (mode) {
        case CL_FLASH_ATTENTION_AUTO: return LLAMA_FLASH_ATTN_TYPE_AUTO;
        case CL_FLASH_ATTENTION_ENABLED: return LLAMA_FLASH_ATTN_TYPE_ENABLED;
        case CL_FLASH_ATTENTION_DISABLED: return LLAMA_FLASH_ATTN_TYPE_DISABLED;
    }
    throw failure(CL_INVALID_ARGUMENT, "unknown flash attention mode");
}

void check_kv_types(const llama_model * model, const cl_context_params & params) {
    const ggml_type keys = kv_type(params.type_k);
    const bool is_disabled = flash_attention(params.flash_attention) == LLAMA_FLASH_ATTN_TYPE_DISABLED;
    if (!is_disabled || !ggml_is_quantized(keys)) {
        return;
    }
    const int32_t heads = llama_model_n_head(model);
    const int64_t width = head_width(model, "attention.key_length");
    check_blocks(keys, width == 0 && heads > 0 ? llama_model_n_embd(model) / heads : width);
    check_blocks(keys, head_width(model, "attention.key_length_swa"));
}

void check_refusal(const std::string & reason) {
    static const std::pair<const char *, const char *> remedies[] = {
        {"K cache type", "Set kvTypeK to f16."},
        {"V cache type", "Set kvTypeV to f16."},
        {"different K", "Set kvTypeK and kvTypeV to the same type."},
        {"quantized V cache", "Set kvTypeV to f16, or flashAttention to auto."},
    };
    for (const auto & [beginning, remedy] : remedies) {
        if (reason.find(beginning) != std::string::npos) {
            throw failure(CL_CONTEXT_UNSUPPORTED, reason + ". " + remedy);
        }
    }
}

}  // namespace cllama
