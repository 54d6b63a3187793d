// Compiled instead of Native/ when the package was built without llama.cpp: every call says so.

#include "CLlama.h"

namespace {

const char * const reason =
    "this build contains no llama.cpp: the llama artifact (Vendor/llama-artifacts/current) was missing. "
    "Run `make setup` (on Linux: `Scripts/build-llama-linux.sh`) and build again.";

thread_local const char * last_error = "";

cl_status unavailable() noexcept {
    last_error = reason;
    return CL_RUNTIME_UNAVAILABLE;
}

}  // namespace

// No handle can exist without a runtime, so functions that take one are never reached; they answer as for an empty one.

const char * cl_last_error(void) noexcept {
    return last_error;
}

bool cl_runtime_is_available(void) noexcept {
    return false;
}

const char * cl_runtime_version(void) noexcept {
    return "";
}

const char * cl_runtime_commit(void) noexcept {
    return "";
}

const char * cl_runtime_ggml_version(void) noexcept {
    return "";
}

const char * cl_runtime_system_info(void) noexcept {
    return "";
}

void cl_log_set_handler(cl_log_handler, void *, cl_log_level) noexcept {}

cl_status cl_model_load(const char *, const cl_model_params *, cl_model **) noexcept {
    return unavailable();
}

bool cl_model_has_lost_server(const cl_model *) noexcept {
    return false;
}

bool cl_model_reaches_servers(const cl_model *) noexcept {
    return true;
}

void cl_model_free(cl_model *) noexcept {}

void cl_model_get_info(const cl_model *, cl_model_info * out_info) noexcept {
    *out_info = cl_model_info{};
}

const char * cl_model_description(const cl_model *) noexcept {
    return "";
}

const char * cl_model_chat_template(const cl_model *, const char *) noexcept {
    return nullptr;
}

cl_status cl_tokenize(const cl_model *, const char *, size_t, const cl_segment *, size_t, int32_t *, size_t,
                      size_t *) noexcept {
    return unavailable();
}

size_t cl_token_bytes(const cl_model *, int32_t, bool, char *, size_t) noexcept {
    return 0;
}

bool cl_token_ends_generation(const cl_model *, int32_t) noexcept {
    return false;
}

bool cl_token_is_control(const cl_model *, int32_t) noexcept {
    return false;
}

bool cl_token_is_marker(const cl_model *, int32_t) noexcept {
    return false;
}

int32_t cl_token_special(const cl_model *, const char *) noexcept {
    return -1;
}

cl_status cl_context_create(cl_model *, const cl_context_params *, cl_context **) noexcept {
    return unavailable();
}

void cl_context_free(cl_context *) noexcept {}

uint32_t cl_context_size(const cl_context *) noexcept {
    return 0;
}

bool cl_context_keeps_state(const cl_context *) noexcept {
    return false;
}

cl_status cl_context_set_threads(cl_context *, int32_t, int32_t) noexcept {
    return unavailable();
}

void cl_context_share_threads(cl_context *, const cl_context *) noexcept {}

size_t cl_context_predict(cl_context *, int32_t, int32_t, int32_t, int32_t *, size_t) noexcept {
    return 0;
}

void cl_context_set_predicting(cl_context *, bool) noexcept {}

void cl_context_accept(cl_context *, int32_t, size_t) noexcept {}

bool cl_context_likeliest(cl_context *, int32_t, int32_t *, double *) noexcept {
    return false;
}

bool cl_model_shares_vocabulary(const cl_model *, const cl_model *) noexcept {
    return false;
}

cl_status cl_decode(cl_context *, const cl_batch_entry *, size_t) noexcept {
    return unavailable();
}

void cl_context_request_abort(cl_context *) noexcept {}

void cl_context_set_wanted(cl_context *, bool) noexcept {}

void cl_context_clear_abort(cl_context *) noexcept {}

void cl_context_set_deadline(cl_context *, double) noexcept {}

bool cl_context_missed_deadline(const cl_context *) noexcept {
    return false;
}

bool cl_memory_remove(cl_context *, int32_t, int32_t) noexcept {
    return false;
}

bool cl_memory_can_remove(const cl_context *, int32_t, int32_t) noexcept {
    return false;
}

bool cl_memory_can_copy(const cl_context *) noexcept {
    return false;
}

bool cl_memory_copy(cl_context *, int32_t, int32_t, int32_t) noexcept {
    return false;
}

bool cl_checkpoint_is_needed(const cl_context *, int32_t) noexcept {
    return false;
}

size_t cl_checkpoint_size(cl_context *, int32_t) noexcept {
    return 0;
}

size_t cl_checkpoint_save(cl_context *, int32_t, void *, size_t) noexcept {
    return 0;
}

bool cl_checkpoint_restore(cl_context *, int32_t, const void *, size_t, int32_t) noexcept {
    return false;
}

bool cl_checkpoint_copy(cl_context *, int32_t, int32_t, const void *, size_t, int32_t) noexcept {
    return false;
}

size_t cl_state_size(cl_context *, int32_t) noexcept {
    return 0;
}

size_t cl_state_save(cl_context *, int32_t, void *, size_t) noexcept {
    return 0;
}

bool cl_state_restore(cl_context *, int32_t, const void *, size_t, int32_t) noexcept {
    return false;
}

void cl_memory_clear(cl_context *) noexcept {}

int32_t cl_memory_first_position(const cl_context *, int32_t) noexcept {
    return -1;
}

int32_t cl_memory_last_position(const cl_context *, int32_t) noexcept {
    return -1;
}

const float * cl_context_logits(cl_context *, int32_t) noexcept {
    return nullptr;
}

cl_status cl_outline_load(const char *, const cl_model_params *, cl_outline **) noexcept {
    return unavailable();
}

void cl_outline_free(cl_outline *) noexcept {}

int32_t cl_outline_training_context(const cl_outline *) noexcept {
    return 0;
}

cl_status cl_outline_measure(cl_outline *, const cl_context_params *, cl_device_memory *, size_t, size_t *) noexcept {
    return unavailable();
}

cl_status cl_context_measure(const cl_context *, cl_device_memory *, size_t, size_t *) noexcept {
    return unavailable();
}

cl_status cl_model_add_adapter(cl_model *, const char *) noexcept {
    return unavailable();
}

size_t cl_model_adapter_count(const cl_model *) noexcept {
    return 0;
}

cl_status cl_context_set_adapters(cl_context *, const float *, size_t) noexcept {
    return unavailable();
}

cl_status cl_embedder_create(cl_model *, const cl_embedder_params *, cl_embedder **) noexcept {
    return unavailable();
}

void cl_embedder_free(cl_embedder *) noexcept {}

size_t cl_embedder_width(const cl_embedder *) noexcept {
    return 0;
}

cl_status cl_embedder_embed(cl_embedder *, const int32_t *, size_t, cl_pooling, cl_embedding_stop, void *, float *,
                            size_t) noexcept {
    return unavailable();
}

cl_status cl_sampler_create(const cl_model *, const cl_sampler_params *, cl_sampler **) noexcept {
    return unavailable();
}

void cl_sampler_free(cl_sampler *) noexcept {}

cl_status cl_sampler_sample(cl_sampler *, cl_context *, int32_t, int32_t *) noexcept {
    return unavailable();
}

cl_status cl_sampler_begin_grammar(cl_sampler *, const char *, size_t) noexcept {
    return unavailable();
}

cl_status cl_sampler_limit_thinking(cl_sampler *, const cl_thinking_budget *) noexcept {
    return unavailable();
}

bool cl_sampler_end_thinking(cl_sampler *, cl_token_span) noexcept {
    return false;
}

cl_thinking_state cl_sampler_thinking_state(const cl_sampler *) noexcept {
    return CL_THINKING_NO_BUDGET;
}

cl_status cl_context_logprobs(cl_context *, int32_t, int32_t, size_t, cl_logprob *, size_t *) noexcept {
    return unavailable();
}

const char * cl_sampler_description(const cl_sampler *) noexcept {
    return "";
}

cl_status cl_grammar_check(const char *) noexcept {
    return unavailable();
}

cl_status cl_grammar_matches(const char *, const char *, size_t, bool *) noexcept {
    return unavailable();
}

cl_status cl_chat_create(const cl_chat_params *, cl_chat **) noexcept {
    return unavailable();
}

void cl_chat_free(cl_chat *) noexcept {}

const char * cl_chat_formatter(const cl_chat *) noexcept {
    return "";
}

bool cl_chat_knows_tools(const cl_chat *) noexcept {
    return false;
}

cl_status cl_chat_render(const cl_chat *, const char *, size_t, cl_chat_rendering **) noexcept {
    return unavailable();
}

void cl_chat_rendering_free(cl_chat_rendering *) noexcept {}

const char * cl_chat_rendering_prompt(const cl_chat_rendering *, size_t * out_length) noexcept {
    *out_length = 0;
    return "";
}

const cl_segment * cl_chat_rendering_segments(const cl_chat_rendering *, size_t * out_count) noexcept {
    *out_count = 0;
    return nullptr;
}

const char * cl_chat_rendering_details(const cl_chat_rendering *) noexcept {
    return "{}";
}
