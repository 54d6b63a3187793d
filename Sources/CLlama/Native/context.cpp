#include "context.hpp"

#include "allocator.hpp"
#include "guard.hpp"
#include "kv_types.hpp"
#include "log.hpp"

#include <algorithm>
#include <string>

namespace {

using cllama::failure;
using cllama::require;

/// ggml's own limit on threads; above it it aborts.
constexpr int32_t maximum_threads = 512;

/// Beyond any model's; llama.cpp fills tables of this many cells before it asks whether there is memory for the cache.
constexpr uint32_t maximum_context = 1 << 24;

/// Entries with logits that one batch may hold for each sequence: a sampled token and the longest draft behind it.
/// llama.cpp reserves room for that many rows of logits, which for large vocabularies is far less than for a batch.
constexpr uint32_t maximum_draft = 32;
constexpr uint32_t outputs_per_sequence = maximum_draft + 1;

/// What `llama_decode` returns when it cannot allocate.
constexpr int32_t out_of_memory = -2;

void check(const cl_model & model, const cl_context_params & params) {
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
    cllama::check_kv_types(weights, params);
}

llama_context_params translate(const cl_context_params & params, uint32_t maximum_outputs,
                               cllama::abort_signal & abort) {
    llama_context_params translated = llama_context_default_params();
    translated.n_ctx = params.context_size;
    translated.n_batch = params.batch_size;
    translated.n_ubatch = params.micro_batch_size;
    translated.n_seq_max = params.maximum_sequences;
    translated.n_outputs_max = maximum_outputs;
    translated.n_outputs_max_per_seq = maximum_outputs;
    translated.n_threads = params.threads;
    translated.n_threads_batch = params.batch_threads;
    translated.type_k = cllama::kv_type(params.type_k);
    translated.type_v = cllama::kv_type(params.type_v);
    translated.flash_attn_type = cllama::flash_attention(params.flash_attention);
    translated.abort_callback = cllama::abort_signal::wants_abort;
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
      batch_size(std::min(params.batch_size, params.context_size)),
      // llama.cpp measures its graphs with a row of logits for every sequence, however small the batch is.
      maximum_outputs(std::max(params.maximum_sequences,
                               std::min(batch_size, outputs_per_sequence * params.maximum_sequences))),
      maximum_sequences(static_cast<int32_t>(params.maximum_sequences)),
      batch(batch_size) {
    cllama::log_scope log;
    raw.reset(llama_init_from_model(model->weights.get(), translate(params, maximum_outputs, abort)));
    if (!raw) {
        const std::string reason = log.reason("llama.cpp refused the context");
        cllama::check_refusal(reason);
        throw failure(CL_CONTEXT_INIT_FAILED, reason);
    }
    require(memory() != nullptr, CL_CONTEXT_UNSUPPORTED, "the model cannot generate: it keeps no memory of its tokens");
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
    llama_context_params translated = translate(params, maximum_outputs, abort);
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

namespace {

/// Runs `body`, which makes a context. A failed assertion of ggml in it says something about the model or the settings,
/// not about sizes, whatever llama.cpp makes of it.
template <class Body>
void refusing_aborts(Body && body) {
    const unsigned long aborts = cllama::aborts_on_this_thread();
    const auto has_aborted = [aborts] { return aborts != cllama::aborts_on_this_thread(); };
    const auto reason = [] { return failure(CL_CONTEXT_UNSUPPORTED, cllama::last_abort_on_this_thread()); };
    try {
        std::forward<Body>(body)();
    } catch (const failure & error) {
        if (!has_aborted() || error.status == CL_CONTEXT_UNSUPPORTED) {
            throw;
        }
        throw reason();
    } catch (const std::exception &) {
        if (!has_aborted()) {
            throw;
        }
        throw reason();
    }
    if (has_aborted()) {
        throw reason();
    }
}

}  // namespace

cl_status cl_context_create(cl_model * model, const cl_context_params * params, cl_context ** out_context) noexcept {
    return cllama::guarded(
        [&] {
            check(*model, *params);
            std::unique_ptr<cl_context> context;
            model->servers.computing({params->wants_stop, params->stop_context}, [&] {
                refusing_aborts([&] { context = std::make_unique<cl_context>(model, *params); });
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
        require(threads >= 1 && threads <= maximum_threads && batch_threads >= 1 && batch_threads <= maximum_threads,
                CL_INVALID_ARGUMENT, "the number of threads is not within 1 and 512");
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
