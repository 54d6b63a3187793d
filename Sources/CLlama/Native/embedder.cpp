#include "adapter.hpp"
#include "cl_embedding.h"
#include "context.hpp"
#include "guard.hpp"
#include "log.hpp"
#include "metadata.hpp"
#include "thread_pool.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

namespace {

using cllama::failure;
using cllama::own_metadata;
using cllama::require;

constexpr uint32_t maximum_context = 1 << 24;

/// llama.cpp's numbers; a pooling it adds later is none that is known here.
cl_pooling own_pooling(const llama_model * model) {
    const std::string value = own_metadata(model, "pooling_type");
    if (value == std::to_string(LLAMA_POOLING_TYPE_CLS)) {
        return CL_POOLING_CLS;
    }
    if (value == std::to_string(LLAMA_POOLING_TYPE_LAST)) {
        return CL_POOLING_LAST;
    }
    if (value == std::to_string(LLAMA_POOLING_TYPE_RANK)) {
        throw failure(CL_DECODE_FAILED, "the model ranks texts; its own pooling gives no embedding");
    }
    return CL_POOLING_MEAN;
}

/// Adds up the vectors of tokens, which arrive in order.
class pooled_vector {
  public:
    pooled_vector(cl_pooling pooling, size_t width) : pooling(pooling), sums(width) {}

    void add(const float * row) {
        count += 1;
        if (pooling == CL_POOLING_CLS && count > 1) {
            return;
        }
        for (size_t index = 0; index < sums.size(); ++index) {
            sums[index] = row[index] + (pooling == CL_POOLING_MEAN ? sums[index] : 0);
        }
    }

    void write(float * values) const {
        const bool are_numbers =
            std::all_of(sums.begin(), sums.end(), [](double sum) { return std::isfinite(sum); });
        require(are_numbers, CL_DECODE_FAILED, "the embedding holds what is no number");
        const double divisor = pooling == CL_POOLING_MEAN ? static_cast<double>(count) : 1;
        std::transform(sums.begin(), sums.end(), values,
                       [divisor](double sum) { return static_cast<float>(sum / divisor); });
    }

  private:
    cl_pooling pooling;
    std::vector<double> sums;
    size_t count = 0;
};

}  // namespace

struct cl_embedder {
    const cl_model * model;
    /// Declared before `raw`, whose abort callback reads them.
    cl_embedding_stop stop = nullptr;
    void * stop_context = nullptr;
    cllama::context_pointer raw;
    std::unique_ptr<cllama::thread_pool> threads;
    uint32_t context_size;
    uint32_t batch_size;
    size_t width;
    cllama::token_batch batch;
    /// llama.cpp failed while computing, so that the state of `raw` is unknown.
    bool is_broken = false;

    cl_embedder(cl_model * model, const cl_embedder_params & params);

    bool wants_stop() const { return stop != nullptr && stop(stop_context); }

    void embed(const int32_t * tokens, size_t count, cl_pooling pooling, float * values);

  private:
    llama_context_params translate(int32_t thread_count);
    void compute(const int32_t * tokens, size_t begin, size_t end);
};

namespace {

bool wants_abort(void * data) {
    return static_cast<const cl_embedder *>(data)->wants_stop();
}

void check(const cl_model & model, const cl_embedder_params & params) {
    require(params.context_size > 0 && params.context_size <= maximum_context, CL_INVALID_ARGUMENT,
            "the context size is not within 1 and 16777216");
    require(params.batch_size > 0 && params.batch_size <= params.context_size, CL_INVALID_ARGUMENT,
            "the batch size is not within 1 and the context size");
    require(params.threads >= 1 && params.threads <= cllama::maximum_threads, CL_INVALID_ARGUMENT,
            "the number of threads is not within 1 and 512");
    require(!model.vocab_only, CL_CONTEXT_INIT_FAILED, "the model was loaded without its weights");
    const llama_model * const weights = model.weights.get();
    require(llama_model_has_decoder(weights) && !llama_model_has_encoder(weights), CL_CONTEXT_INIT_FAILED,
            "embeddings of models with an encoder are not supported");
    require(!llama_model_is_diffusion(weights), CL_CONTEXT_INIT_FAILED, "diffusion models are not supported");
    require(model.vocab.size() > 0, CL_CONTEXT_INIT_FAILED, "the model has no vocabulary");
}

/// Attention to what follows needs the whole text at once.
uint32_t usable_batch(const cl_model & model, const cl_embedder_params & params) {
    const bool looks_ahead = own_metadata(model.weights.get(), "attention.causal") == "false";
    return looks_ahead ? params.context_size : params.batch_size;
}

void check(const cl_embedder & embedder, const int32_t * tokens, size_t count, const float * values,
           size_t capacity) {
    require(!embedder.is_broken, CL_DECODE_FAILED, "llama.cpp failed in an earlier call, create the embedder again");
    require(tokens != nullptr && count > 0, CL_INVALID_ARGUMENT, "the text is empty");
    require(count <= embedder.context_size, CL_INVALID_ARGUMENT, "the text is longer than the context");
    require(values != nullptr && capacity >= embedder.width, CL_INVALID_ARGUMENT, "the embedding needs more room");
    const bool is_known = std::all_of(tokens, tokens + count, [&](int32_t token) {
        return token >= 0 && token < embedder.model->vocab.size();
    });
    require(is_known, CL_INVALID_ARGUMENT, "a token is outside the vocabulary");
}

}  // namespace

llama_context_params cl_embedder::translate(int32_t thread_count) {
    llama_context_params translated = llama_context_default_params();
    translated.n_ctx = context_size;
    translated.n_batch = batch_size;
    translated.n_ubatch = batch_size;
    translated.n_seq_max = 1;
    translated.n_threads = thread_count;
    translated.n_threads_batch = thread_count;
    translated.embeddings = true;
    // Pooled here: llama.cpp pools single batches, and would need one for the whole text with the logits of all of it.
    translated.pooling_type = LLAMA_POOLING_TYPE_NONE;
    translated.abort_callback = wants_abort;
    translated.abort_callback_data = this;
    translated.no_perf = true;
    translated.swa_full = false;
    return translated;
}

cl_embedder::cl_embedder(cl_model * model, const cl_embedder_params & params)
    : model(model),
      context_size(params.context_size),
      batch_size(usable_batch(*model, params)),
      width(static_cast<size_t>(llama_model_n_embd_out(model->weights.get()))),
      batch(batch_size) {
    const unsigned long aborts = cllama::aborts_on_this_thread();
    cllama::log_scope log;
    raw.reset(llama_init_from_model(model->weights.get(), translate(1)));
    if (!raw) {
        throw failure(CL_CONTEXT_INIT_FAILED, log.reason("llama.cpp refused the context"));
    }
    require(aborts == cllama::aborts_on_this_thread() && llama_get_memory(raw.get()) != nullptr,
            CL_CONTEXT_INIT_FAILED, "the model cannot read texts: it keeps no memory of its tokens");
    cllama::set_adapters(*model, raw.get(), params.adapter_scales, params.adapter_count);
    // Failed assertions can be answered on this thread only, see `cl_context::prove`.
    const int32_t token = 0;
    std::vector<float> values(width);
    embed(&token, 1, CL_POOLING_LAST, values.data());
    threads = std::make_unique<cllama::thread_pool>();
    threads->add(raw.get());
    threads->resize(params.threads, params.threads);
}

void cl_embedder::embed(const int32_t * tokens, size_t count, cl_pooling pooling, float * values) {
    pooled_vector pooled(pooling, width);
    llama_memory_clear(llama_get_memory(raw.get()), false);
    for (size_t begin = 0; begin < count; begin += batch_size) {
        require(!wants_stop(), CL_CANCELLED, "the embedding was stopped");
        const size_t end = std::min<size_t>(count, begin + batch_size);
        compute(tokens, begin, end);
        for (size_t index = begin; index < end; ++index) {
            const float * const row = llama_get_embeddings_ith(raw.get(), static_cast<int32_t>(index - begin));
            require(row != nullptr, CL_DECODE_FAILED, "the model gives no embeddings");
            pooled.add(row);
        }
    }
    pooled.write(values);
}

void cl_embedder::compute(const int32_t * tokens, size_t begin, size_t end) {
    std::vector<cl_batch_entry> entries;
    for (size_t index = begin; index < end; ++index) {
        entries.push_back({tokens[index], static_cast<int32_t>(index), 0, true});
    }
    batch.fill(entries.data(), entries.size());
    const unsigned long aborts = cllama::aborts_on_this_thread();
    is_broken = true;
    const int32_t code = llama_decode(raw.get(), batch.raw());
    llama_synchronize(raw.get());
    is_broken = aborts != cllama::aborts_on_this_thread();
    require(code != 2, CL_CANCELLED, "the embedding was stopped");
    require(code == 0 && !is_broken, CL_DECODE_FAILED, "llama.cpp could not compute the text");
}

cl_status cl_embedder_create(cl_model * model, const cl_embedder_params * params,
                             cl_embedder ** out_embedder) noexcept {
    return cllama::guarded(
        [&] {
            check(*model, *params);
            std::unique_ptr<cl_embedder> embedder;
            model->servers.computing({}, [&] { embedder = std::make_unique<cl_embedder>(model, *params); });
            *out_embedder = embedder.release();
        },
        CL_CONTEXT_INIT_FAILED);
}

void cl_embedder_free(cl_embedder * embedder) noexcept {
    if (embedder != nullptr) {
        cllama::guarded([&] { embedder->model->servers.freeing([&] { delete embedder; }); });
    }
}

size_t cl_embedder_width(const cl_embedder * embedder) noexcept {
    return embedder->width;
}

cl_status cl_embedder_embed(cl_embedder * embedder, const int32_t * tokens, size_t count, cl_pooling pooling,
                            cl_embedding_stop stop, void * stop_context, float * values, size_t capacity) noexcept {
    const cl_status status = cllama::guarded(
        [&] {
            check(*embedder, tokens, count, values, capacity);
            require(pooling >= CL_POOLING_AUTOMATIC && pooling <= CL_POOLING_LAST, CL_INVALID_ARGUMENT,
                    "unknown pooling");
            embedder->stop = stop;
            embedder->stop_context = stop_context;
            const bool is_automatic = pooling == CL_POOLING_AUTOMATIC;
            const cl_pooling used = is_automatic ? own_pooling(embedder->model->weights.get()) : pooling;
            embedder->model->servers.computing({stop, stop_context},
                                               [&] { embedder->embed(tokens, count, used, values); });
        },
        CL_DECODE_FAILED);
    embedder->stop = nullptr;
    embedder->stop_context = nullptr;
    return status;
}
