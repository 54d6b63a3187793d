#include "cl_measure.h"

#include "context.hpp"
#include "context_params.hpp"
#include "device_table.hpp"
#include "file_check.hpp"
#include "guard.hpp"
#include "log.hpp"
#include "model.hpp"
#include "predictor.hpp"

#include <memory>

/// Keeps its model to itself, so that nothing can compute with it: its tensors have no memory.
struct cl_outline {
    std::unique_ptr<cl_model> model;
};

namespace {

using cllama::device_table;

/// Makes the contexts that `cl_context` would, in a model without memory.
device_table measure(const cl_model & model, const cl_context_params & params) {
    const cllama::log_scope log;
    cllama::abort_signal abort;
    cllama::context_pointer context;
    device_table table;
    cllama::refusing_aborts([&] {
        context = cllama::make_context(model, params, abort);
        table.add(context.get());
        if (params.prediction_tokens > 0) {
            llama_context_params translated = cllama::translate(params, abort);
            translated.n_batch = cllama::batch_capacity(params);
            table.add_without_weights(
                cllama::make_prediction_context(model.weights.get(), context.get(), translated).get());
        }
    });
    // Allocates buffers for one token, which must not be counted.
    table.note_tensors(context.get(), params.maximum_sequences);
    return table;
}

}  // namespace

cl_status cl_outline_load(const char * path, const cl_model_params * params, cl_outline ** out_outline) noexcept {
    return cllama::guarded(
        [&] {
            cllama::check_file(path);
            *out_outline = new cl_outline{cllama::load_outline(path, *params)};
        },
        CL_MODEL_LOAD_FAILED);
}

void cl_outline_free(cl_outline * outline) noexcept {
    if (outline != nullptr) {
        cllama::guarded([&] { delete outline; });
    }
}

int32_t cl_outline_training_context(const cl_outline * outline) noexcept {
    return llama_model_n_ctx_train(outline->model->weights.get());
}

cl_status cl_outline_measure(cl_outline * outline, const cl_context_params * params, cl_device_memory * devices,
                             size_t capacity, size_t * out_count) noexcept {
    return cllama::guarded(
        [&] {
            cllama::check_context(*outline->model, *params);
            measure(*outline->model, *params).write(devices, capacity, *out_count);
        },
        CL_CONTEXT_INIT_FAILED);
}

cl_status cl_context_measure(const cl_context * context, cl_device_memory * devices, size_t capacity,
                             size_t * out_count) noexcept {
    return cllama::guarded([&] {
        device_table table;
        table.add(context->raw.get());
        if (context->predictor) {
            table.add_without_weights(context->predictor->context());
        }
        table.write(devices, capacity, *out_count);
    });
}
