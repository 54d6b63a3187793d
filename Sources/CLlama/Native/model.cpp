#include "model.hpp"

#include "file_check.hpp"
#include "guard.hpp"
#include "log.hpp"
#include "mapped_weights.hpp"

#include <cstring>

namespace {

using cllama::failure;
using cllama::require;
using cllama::server_set;

struct progress_state {
    cl_load_progress callback;
    void * context;
    bool was_cancelled = false;
};

bool forward_progress(float fraction, void * context) {
    auto * const state = static_cast<progress_state *>(context);
    if (state->callback && !state->callback(fraction, state->context)) {
        state->was_cancelled = true;
    }
    return !state->was_cancelled;
}

/// The devices of the servers and then the GPUs of this machine, in llama.cpp's own order.
std::vector<ggml_backend_dev_t> devices_with(const cllama::server_set & servers) {
    std::vector<ggml_backend_dev_t> devices = servers.devices();
    for (size_t index = 0; index < ggml_backend_dev_count(); ++index) {
        const ggml_backend_dev_t device = ggml_backend_dev_get(index);
        if (ggml_backend_dev_type(device) == GGML_BACKEND_DEVICE_TYPE_GPU) {
            devices.push_back(device);
        }
    }
    require(devices.size() <= llama_max_devices(), CL_MODEL_LOAD_FAILED,
            "the servers have more devices than llama.cpp can use for one model");
    devices.push_back(nullptr);
    return devices;
}

llama_model_params translate(const cl_model_params & params, progress_state & progress) {
    llama_model_params translated = llama_model_default_params();
    translated.vocab_only = params.vocab_only;
    translated.load_mtp = params.predicts;
    translated.load_mode = params.use_mmap && llama_supports_mmap() ? LLAMA_LOAD_MODE_MMAP : LLAMA_LOAD_MODE_NONE;
    translated.n_gpu_layers = params.gpu_layers > 0 ? params.gpu_layers : 0;
    if (params.gpu_layers <= 0) {
        // Zero layers alone would still make llama.cpp start the GPU and compute large batches there.
        translated.split_mode = LLAMA_SPLIT_MODE_NONE;
        translated.main_gpu = -1;
    }
    translated.progress_callback = forward_progress;
    translated.progress_callback_user_data = &progress;
    return translated;
}

/// Which of it is kept in memory.
enum class extent { everything, outline };

cllama::model_pointer load_weights(const std::string & path, const cl_model_params & params,
                                   const server_set & servers, extent wanted) {
    progress_state progress{params.progress, params.progress_context};
    llama_model_params translated = translate(params, progress);
    std::vector<ggml_backend_dev_t> devices;
    if (!servers.is_empty()) {
        devices = devices_with(servers);
        translated.devices = devices.data();
    }
    if (wanted == extent::outline) {
        translated.no_alloc = true;
        // llama.cpp maps no file that it allocates nothing for.
        translated.load_mode = LLAMA_LOAD_MODE_NONE;
    }
    cllama::log_scope log;
    cllama::model_pointer model(llama_model_load_from_file(path.c_str(), translated));
    if (progress.was_cancelled) {
        throw failure(CL_CANCELLED, "loading was cancelled");
    }
    if (!model) {
        throw failure(CL_MODEL_LOAD_FAILED, log.reason("llama.cpp refused the file"));
    }
    if (wanted == extent::everything) {
        cllama::release_copied_weights(model.get());
    }
    return model;
}

server_set open_servers(const cl_model_params & params, const cllama::stop_request & stop) {
    if (params.gpu_layers <= 0 || params.vocab_only) {
        return {};
    }
    return server_set(params.servers, params.server_count, cllama::time_limits(params.server_limits), stop);
}

std::unique_ptr<cl_model> load(const std::string & path, const cl_model_params & params) {
    const cllama::stop_request stop = {params.wants_stop, params.stop_context};
    server_set servers = open_servers(params, stop);
    cllama::model_pointer weights;
    servers.watched(stop, [&] { weights = load_weights(path, params, servers, extent::everything); });
    return std::make_unique<cl_model>(std::move(servers), std::move(weights), params.vocab_only);
}

std::string describe(const llama_model * model) {
    char text[256] = "";
    llama_model_desc(model, text, sizeof(text));
    return text;
}

}  // namespace

cl_model::cl_model(cllama::server_set servers, cllama::model_pointer loaded, bool vocab_only)
    : servers(std::move(servers)),
      weights(std::move(loaded)),
      vocab(llama_model_get_vocab(weights.get())),
      vocab_only(vocab_only),
      description(describe(weights.get())) {}

std::unique_ptr<cl_model> cllama::load_outline(const std::string & path, const cl_model_params & params) {
    require(params.server_count == 0, CL_INVALID_ARGUMENT, "models on servers cannot be measured");
    require(!params.vocab_only, CL_INVALID_ARGUMENT, "a vocabulary alone cannot be measured");
    model_pointer weights = load_weights(path, params, server_set(), extent::outline);
    return std::make_unique<cl_model>(server_set(), std::move(weights), false);
}

cl_status cl_model_load(const char * path, const cl_model_params * params, cl_model ** out_model) noexcept {
    return cllama::guarded(
        [&] {
            cllama::check_file(path);
            *out_model = load(path, *params).release();
        },
        CL_MODEL_LOAD_FAILED);
}

void cl_model_free(cl_model * model) noexcept {
    if (model != nullptr) {
        cllama::guarded([&] {
            const server_set servers = model->servers;
            servers.freeing([&] { delete model; });
        });
    }
}

bool cl_model_has_lost_server(const cl_model * model) noexcept {
    return model->servers.is_lost();
}

bool cl_model_reaches_servers(const cl_model * model) noexcept {
    return model->servers.are_there();
}

void cl_model_get_info(const cl_model * model, cl_model_info * out_info) noexcept {
    *out_info = cl_model_info{};
    cllama::guarded([&] {
        const llama_model * const weights = model->weights.get();
        const llama_vocab * const vocab = model->vocab.raw();
        out_info->training_context = llama_model_n_ctx_train(weights);
        out_info->vocabulary_size = model->vocab.size();
        out_info->layer_count = llama_model_n_layer(weights);
        out_info->size_bytes = llama_model_size(weights);
        out_info->parameter_count = llama_model_n_params(weights);
        out_info->has_decoder = llama_model_has_decoder(weights);
        out_info->has_encoder = llama_model_has_encoder(weights);
        out_info->is_recurrent = llama_model_is_recurrent(weights);
        out_info->is_hybrid = llama_model_is_hybrid(weights);
        out_info->sliding_window = llama_model_n_swa(weights);
        out_info->adds_bos = llama_vocab_get_add_bos(vocab);
        out_info->adds_eos = llama_vocab_get_add_eos(vocab);
        out_info->bos_token = llama_vocab_bos(vocab);
        out_info->eos_token = llama_vocab_eos(vocab);
        out_info->eot_token = llama_vocab_eot(vocab);
        out_info->prediction_layer_count = llama_model_n_layer_nextn(weights);
        out_info->has_vocabulary = model->vocab.exists();
    });
}

bool cl_model_shares_vocabulary(const cl_model * model, const cl_model * other) noexcept {
    return cllama::guarded_value(false, [&] {
        const cllama::vocabulary & one = model->vocab;
        const cllama::vocabulary & two = other->vocab;
        if (!one.exists() || !two.exists() || one.size() != two.size() ||
            llama_vocab_type(one.raw()) != llama_vocab_type(two.raw())) {
            return false;
        }
        for (int32_t token = 0; token < one.size(); ++token) {
            if (std::strcmp(llama_vocab_get_text(one.raw(), token), llama_vocab_get_text(two.raw(), token)) != 0 ||
                llama_vocab_get_attr(one.raw(), token) != llama_vocab_get_attr(two.raw(), token)) {
                return false;
            }
        }
        return true;
    });
}

const char * cl_model_description(const cl_model * model) noexcept {
    return model->description.c_str();
}

const char * cl_model_chat_template(const cl_model * model, const char * name) noexcept {
    return cllama::guarded_value(static_cast<const char *>(nullptr), [&] {
        return llama_model_chat_template(model->weights.get(), name);
    });
}
