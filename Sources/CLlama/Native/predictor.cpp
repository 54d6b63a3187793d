#include "predictor.hpp"

#include "guard.hpp"
#include "log.hpp"

#include <algorithm>

namespace cllama {

namespace {

/// Tokens that the layers think less likely are not drafted, nor what would follow them.
constexpr float least_probability = 0.4f;

}  // namespace

context_pointer make_prediction_context(llama_model * model, llama_context * target, llama_context_params params) {
    params.ctx_type = LLAMA_CONTEXT_TYPE_MTP;
    params.ctx_other = target;
    params.n_rs_seq = 0;
    params.n_outputs_max = params.n_seq_max;
    params.n_outputs_max_per_seq = 1;
    log_scope log;
    context_pointer context(llama_init_from_model(model, params));
    if (!context) {
        throw failure(CL_CONTEXT_INIT_FAILED, log.reason("llama.cpp refused a context for the prediction layers"));
    }
    return context;
}

predictor::predictor(llama_model * model, llama_context * target, const llama_context_params & context_params,
                     int32_t maximum_tokens)
    : raw(make_prediction_context(model, target, context_params)),
      batch(target),
      has_draft(context_params.n_seq_max) {
    const unsigned long aborts = aborts_on_this_thread();
    params.types = {COMMON_SPECULATIVE_TYPE_DRAFT_MTP};
    params.draft.n_max = maximum_tokens;
    params.draft.p_min = least_probability;
    params.draft.backend_sampling = false;
    params.draft.ctx_tgt = target;
    params.draft.ctx_dft = raw.get();
    speculation.reset(common_speculative_init(params, context_params.n_seq_max));
    require(speculation && aborts == aborts_on_this_thread(), CL_CONTEXT_INIT_FAILED,
            "llama.cpp cannot use the prediction layers of this model");
}

void predictor::follow(const cl_batch_entry * entries, size_t count) {
    if (is_broken) {
        return;
    }
    batch.clear();
    for (size_t index = 0; index < count; ++index) {
        const cl_batch_entry & entry = entries[index];
        if (index == 0 || entries[index - 1].sequence != entry.sequence) {
            // What was drafted, and what the target took back.
            remove(entry.sequence, entry.position);
            if (end(entry.sequence) != entry.position) {
                remove(entry.sequence, 0);
            }
        }
        batch.add(entry.token, entry.position, entry.sequence, entry.wants_logits);
    }
    const unsigned long aborts = aborts_on_this_thread();
    is_broken = true;
    // When it does not get through, the next batch finds a gap and begins anew.
    common_speculative_process(speculation.get(), batch);
    is_broken = aborts != aborts_on_this_thread();
}

std::vector<int32_t> predictor::draft(int32_t sequence, int32_t token, int32_t position, int32_t count) {
    if (is_broken || count <= 0) {
        return {};
    }
    remove(sequence, position);
    if (end(sequence) != position) {
        return {};
    }
    draft_tokens.clear();
    static const llama_tokens no_prompt;
    common_speculative_draft_params & request = common_speculative_get_draft_params(speculation.get(), sequence);
    request.drafting = true;
    request.n_max = count;
    request.pos0 = position;
    request.id_last = token;
    request.prompt = &no_prompt;
    request.result = &draft_tokens;
    const unsigned long aborts = aborts_on_this_thread();
    is_broken = true;
    common_speculative_draft(speculation.get());
    is_broken = aborts != aborts_on_this_thread();
    has_draft[static_cast<size_t>(sequence)] = !draft_tokens.empty();
    draft_tokens.resize(std::min(draft_tokens.size(), static_cast<size_t>(count)));
    return is_broken ? llama_tokens() : draft_tokens;
}

void predictor::accept(int32_t sequence, int32_t count) {
    if (is_broken || !has_draft[static_cast<size_t>(sequence)]) {
        return;
    }
    has_draft[static_cast<size_t>(sequence)] = false;
    common_speculative_accept(speculation.get(), sequence, static_cast<uint16_t>(count));
}

void predictor::copy(int32_t source, int32_t copy, int32_t count) {
    llama_memory_seq_rm(memory(), copy, -1, -1);
    if (end(source) >= count) {
        llama_memory_seq_cp(memory(), source, copy, 0, count);
    }
}

void predictor::remove(int32_t sequence, int32_t position) {
    if (position <= 0 || !llama_memory_seq_rm(memory(), sequence, position, -1)) {
        llama_memory_seq_rm(memory(), sequence, -1, -1);
    }
}

}  // namespace cllama
