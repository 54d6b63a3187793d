#include "context.hpp"

#include "allocator.hpp"
#include "guard.hpp"
#include "log.hpp"
#include "untouched_memory.hpp"

#include <algorithm>

namespace {

using cllama::failure;
using cllama::require;

/// What `llama_decode` returns when it cannot allocate.
constexpr int32_t out_of_memory = -2;

}  // namespace

namespace cllama {

void token_batch::fill(const cl_batch_entry * entries, size_t count) {
    batch.n_tokens = static_cast<int32_t>(count);
    for (size_t index = 0; index < count; ++index) {
        const cl_batch_entry & entry = entries[index];
        batch.token[index] = entry.token;
        batch.pos[index] = entry.position;
        batch.n_seq_id[index] = 1;
        batch.seq_id[index][0] = entry.sequence;
        batch.logits[index] = entry.wants_logits ? 1 : 0;
    }
}

}  // namespace cllama

cl_context::cl_context(cl_model * model, const cl_context_params & params)
    : model(model),
      batch_size(cllama::batch_capacity(params)),
      maximum_outputs(cllama::output_capacity(params)),
      maximum_sequences(static_cast<int32_t>(params.maximum_sequences)),
      batch(batch_size) {
    const cllama::log_scope log;
    const cllama::untouched_memory untouched;
    raw = cllama::make_context(*model, params, abort);
    batch_size = std::min(batch_size, llama_n_batch(raw.get()));
    if (!model->is_proven) {
        prove();
    }
    threads = std::make_shared<cllama::thread_pool>();
    threads->add(raw.get());
    if (params.prediction_tokens > 0) {
        add_predictor(params);
    }
    threads->resize(params.threads, params.batch_threads);
}

cl_context::~cl_context() {
    if (threads && predictor) {
        threads->remove(predictor->context());
    }
    if (threads) {
        threads->remove(raw.get());
    }
}

void cl_context::add_predictor(const cl_context_params & params) {
    llama_context_params translated = cllama::translate(params, abort);
    translated.n_batch = batch_size;
    predictor = std::make_unique<cllama::predictor>(model->weights.get(), raw.get(), translated,
                                                    static_cast<int32_t>(params.prediction_tokens));
    threads->add(predictor->context());
}

void cl_context::share_threads(const cl_context & other) {
    threads->remove(raw.get());
    threads = other.threads;
    threads->add(raw.get());
}

/// Computes one token on this thread alone, once for each model.
///
/// Some broken files make ggml's kernels fail an assertion. On this thread that is a status; on the threads that ggml
/// starts for more than one of them nothing could stop it from ending the process.
void cl_context::prove() {
    const unsigned long aborts = cllama::aborts_on_this_thread();
    const cl_batch_entry entry = {0, 0, 0, true};
    batch.fill(&entry, 1);
    llama_set_n_threads(raw.get(), 1, 1);
    const int32_t code = llama_decode(raw.get(), batch.raw());
    require(aborts == cllama::aborts_on_this_thread(), CL_CONTEXT_UNSUPPORTED,
            cllama::last_abort_on_this_thread().c_str());
    require(code != out_of_memory, CL_CONTEXT_INIT_FAILED,
            "llama.cpp has no memory to compute a token with this model");
    require(code == 0, CL_CONTEXT_UNSUPPORTED, "llama.cpp could not compute a token with this model");
    llama_memory_clear(memory(), true);
    model->is_proven = true;
}

cllama::stop_request cl_context::abandonment() const {
    const auto is_abandoned = [](void * context) {
        return static_cast<const cl_context *>(context)->is_unwanted.load(std::memory_order_relaxed);
    };
    return {is_abandoned, const_cast<cl_context *>(this)};
}

cl_status cl_context_create(cl_model * model, const cl_context_params * params, cl_context ** out_context) noexcept {
    return cllama::guarded(
        [&] {
            cllama::check_context(*model, *params);
            std::unique_ptr<cl_context> context;
            model->servers.computing({params->wants_stop, params->stop_context}, [&] {
                cllama::refusing_aborts([&] { context = std::make_unique<cl_context>(model, *params); });
            });
            *out_context = context.release();
        },
        CL_CONTEXT_INIT_FAILED);
}

void cl_context_free(cl_context * context) noexcept {
    if (context != nullptr) {
        cllama::guarded([&] { context->model->servers.freeing([&] { delete context; }); });
        cllama::return_freed_memory();
    }
}

uint32_t cl_context_size(const cl_context * context) noexcept {
    return llama_n_ctx(context->raw.get());
}

bool cl_context_keeps_state(const cl_context * context) noexcept {
    const llama_model * const weights = context->model->weights.get();
    return cllama::guarded_value(true, [&] {
        return llama_model_is_recurrent(weights) || llama_model_is_hybrid(weights);
    });
}

cl_status cl_context_set_threads(cl_context * context, int32_t threads, int32_t batch_threads) noexcept {
    return cllama::guarded([&] {
        const auto is_possible = [](int32_t count) { return count >= 1 && count <= cllama::maximum_threads; };
        require(is_possible(threads) && is_possible(batch_threads), CL_INVALID_ARGUMENT,
                "the number of threads is not within 1 and 512");
        context->threads->resize(threads, batch_threads);
    });
}

void cl_context_share_threads(cl_context * context, const cl_context * other) noexcept {
    cllama::guarded([&] { context->share_threads(*other); });
}

void cl_context_request_abort(cl_context * context) noexcept {
    context->abort.request();
}

void cl_context_set_wanted(cl_context * context, bool is_wanted) noexcept {
    context->is_unwanted.store(!is_wanted, std::memory_order_relaxed);
}

void cl_context_clear_abort(cl_context * context) noexcept {
    context->abort.clear();
}

void cl_context_set_deadline(cl_context * context, double seconds) noexcept {
    context->abort.set_deadline(seconds);
}

bool cl_context_missed_deadline(const cl_context * context) noexcept {
    return context->abort.missed_deadline();
}

const float * cl_context_logits(cl_context * context, int32_t index) noexcept {
    return cllama::guarded_value(static_cast<const float *>(nullptr), [&]() -> const float * {
        const bool is_kept = index >= 0 && static_cast<size_t>(index) < context->has_logits.size() &&
                             context->has_logits[static_cast<size_t>(index)];
        return is_kept ? llama_get_logits_ith(context->raw.get(), index) : nullptr;
    });
}
