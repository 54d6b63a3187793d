#include "context_params.hpp"

#include "kv_types.hpp"
#include "log.hpp"

#include <algorithm>
#include <string>

namespace cllama {

namespace {

/// Beyond any model's; llama.cpp fills tables of this many cells before it asks whether there is memory for the cache.
constexpr uint32_t maximum_context = 1 << 24;

/// Entries with logits that one batch may hold for each sequence: a sampled token and the longest draft behind it.
/// llama.cpp reserves room for that many rows of logits, which for large vocabularies is far less than for a batch.
constexpr uint32_t maximum_draft = 32;
constexpr uint32_t outputs_per_sequence = maximum_draft + 1;

}  // namespace

uint32_t batch_capacity(const cl_context_params & params) {
    return std::min(params.batch_size, params.context_size);
}

uint32_t output_capacity(const cl_context_params & params) {
    // llama.cpp measures its graphs with a row of logits for every sequence, however small the batch is.
    return std::max(params.maximum_sequences,
                    std::min(batch_capacity(params), outputs_per_sequence * params.maximum_sequences));
}

void check_context(const cl_model & model, const cl_context_params & params) {
    require(params.context_size > 0 && params.context_size <= maximum_context, CL_INVALID_ARGUMENT,
            "the context size is not within 1 and 16777216");
    require(params.batch_size > 0, CL_INVALID_ARGUMENT, "the batch size is 0");
    require(params.micro_batch_size > 0 && params.micro_batch_size <= params.batch_size, CL_INVALID_ARGUMENT,
            "the micro-batch size is not within 1 and the batch size");
    require(params.maximum_sequences >= 1 && params.maximum_sequences <= 64, CL_INVALID_ARGUMENT,
            "the number of sequences is not within 1 and 64");
    require(params.threads >= 1 && params.threads <= maximum_threads && params.batch_threads >= 1 &&
                params.batch_threads <= maximum_threads,
            CL_INVALID_ARGUMENT, "the number of threads is not within 1 and 512");
    require(params.prediction_tokens <= maximum_draft, CL_INVALID_ARGUMENT, "a draft has more than 32 tokens");
    require(!model.vocab_only, CL_CONTEXT_UNSUPPORTED, "the model was loaded without its weights");
    const llama_model * const weights = model.weights.get();
    require(llama_model_has_decoder(weights), CL_CONTEXT_UNSUPPORTED, "the model cannot generate: it has no decoder");
    require(!llama_model_has_encoder(weights), CL_CONTEXT_UNSUPPORTED,
            "encoder-decoder models and draft heads cannot generate on their own");
    require(!llama_model_is_diffusion(weights), CL_CONTEXT_UNSUPPORTED, "diffusion models are not supported");
    require(model.vocab.size() > 0, CL_CONTEXT_UNSUPPORTED, "the model has no vocabulary");
    check_kv_types(weights, params);
}

llama_context_params translate(const cl_context_params & params, abort_signal & abort) {
    llama_context_params translated = llama_context_default_params();
    translated.n_ctx = params.context_size;
    translated.n_batch = params.batch_size;
    translated.n_ubatch = params.micro_batch_size;
    translated.n_seq_max = params.maximum_sequences;
    translated.n_outputs_max = output_capacity(params);
    translated.n_outputs_max_per_seq = output_capacity(params);
    translated.n_threads = params.threads;
    translated.n_threads_batch = params.batch_threads;
    translated.type_k = kv_type(params.type_k);
    translated.type_v = kv_type(params.type_v);
    translated.flash_attn_type = flash_attention(params.flash_attention);
    translated.abort_callback = abort_signal::wants_abort;
    translated.abort_callback_data = &abort;
    translated.no_perf = true;
    // States of the last tokens, so that a rejected draft can be taken back.
    translated.n_rs_seq = params.prediction_tokens;
    // One pool of cells, so that a single sequence may use all of them.
    translated.kv_unified = true;
    // A full-size cache for windowed layers would let any prefix be cut, at several times the memory: with it the
    // large contexts of such models no longer fit the devices they are made for. Callers check the first position.
    translated.swa_full = false;
    return translated;
}

context_pointer make_context(const cl_model & model, const cl_context_params & params, abort_signal & abort) {
    log_scope log;
    context_pointer context(llama_init_from_model(model.weights.get(), translate(params, abort)));
    if (!context) {
        const std::string reason = log.reason("llama.cpp refused the context");
        check_refusal(reason);
        throw failure(CL_CONTEXT_INIT_FAILED, reason);
    }
    require(llama_get_memory(context.get()) != nullptr, CL_CONTEXT_UNSUPPORTED,
            "the model cannot generate: it keeps no memory of its tokens");
    return context;
}

}  // namespace cllama
