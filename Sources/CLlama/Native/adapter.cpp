#include "adapter.hpp"

#include "cl_adapter.h"
#include "context.hpp"
#include "file_check.hpp"
#include "guard.hpp"
#include "log.hpp"

#include <cmath>
#include <memory>
#include <vector>

namespace {

using cllama::failure;
using cllama::require;

struct adapter_deleter {
    void operator()(llama_adapter_lora * adapter) const { llama_adapter_lora_free(adapter); }
};

using adapter_pointer = std::unique_ptr<llama_adapter_lora, adapter_deleter>;

adapter_pointer load(const cl_model & model, const char * path) {
    cllama::log_scope log;
    adapter_pointer adapter(llama_adapter_lora_init(model.weights.get(), path));
    if (!adapter) {
        throw failure(CL_MODEL_LOAD_FAILED, log.reason("llama.cpp refused the adapter"));
    }
    return adapter;
}

}  // namespace

namespace cllama {

void set_adapters(const cl_model & model, llama_context * context, const float * scales, size_t count) {
    require(count == model.adapters.size() && (scales != nullptr || count == 0), CL_INVALID_ARGUMENT,
            "the scales do not fit the adapters of the model");
    std::vector<llama_adapter_lora *> adapters = model.adapters;
    std::vector<float> copies(scales, scales + count);
    for (const float scale : copies) {
        require(std::isfinite(scale), CL_INVALID_ARGUMENT, "the scale of an adapter is no number");
    }
    require(llama_set_adapters_lora(context, adapters.data(), count, copies.data()) == 0, CL_CONTEXT_INIT_FAILED,
            "llama.cpp refused the adapters");
}

}  // namespace cllama

/// Computes one token on this thread alone: where an adapter does not fit the model, ggml fails an assertion.
void cl_context::prove_adapters() {
    const int32_t decode_threads = llama_n_threads(raw.get());
    const int32_t batch_threads = llama_n_threads_batch(raw.get());
    threads->resize(1, 1);
    // Until the proof is complete.
    is_broken = true;
    prove();
    is_broken = false;
    threads->resize(decode_threads, batch_threads);
}

cl_status cl_model_add_adapter(cl_model * model, const char * path) noexcept {
    return cllama::guarded(
        [&] {
            require(!model->vocab_only, CL_MODEL_LOAD_FAILED, "the model was loaded without its weights");
            cllama::check_file(path);
            adapter_pointer adapter;
            model->servers.watched({}, [&] { adapter = load(*model, path); });
            require(llama_adapter_get_alora_n_invocation_tokens(adapter.get()) == 0, CL_MODEL_LOAD_FAILED,
                    "the adapter works only behind its invocation text, which is not supported");
            model->adapters.push_back(adapter.get());
            adapter.release();
        },
        CL_MODEL_LOAD_FAILED);
}

size_t cl_model_adapter_count(const cl_model * model) noexcept {
    return model->adapters.size();
}

cl_status cl_context_set_adapters(cl_context * context, const float * scales, size_t count) noexcept {
    return cllama::guarded(
        [&] {
            require(!context->is_broken, CL_CONTEXT_INIT_FAILED, "llama.cpp failed in an earlier call");
            cllama::set_adapters(*context->model, context->raw.get(), scales, count);
            context->has_logits.clear();
            context->model->servers.computing({}, [&] {
                llama_memory_clear(context->memory(), true);
                context->prove_adapters();
            });
        },
        CL_CONTEXT_INIT_FAILED);
}
