#pragma once

#include "abort_signal.hpp"
#include "cl_context.h"
#include "guard.hpp"
#include "model.hpp"

#include "llama.h"

#include <cstdint>
#include <memory>
#include <utility>

namespace cllama {

/// ggml's own limit on threads; above it it aborts.
constexpr int32_t maximum_threads = 512;

struct context_deleter {
    void operator()(llama_context * context) const { llama_free(context); }
};

using context_pointer = std::unique_ptr<llama_context, context_deleter>;

/// Most entries of one batch of such a context.
uint32_t batch_capacity(const cl_context_params & params);

/// Most of them with logits.
uint32_t output_capacity(const cl_context_params & params);

/// Throws when no context of `model` can have these parameters.
void check_context(const cl_model & model, const cl_context_params & params);

/// The parameters as llama.cpp knows them. `abort` is asked as long as the context lives.
llama_context_params translate(const cl_context_params & params, abort_signal & abort);

/// The context of llama.cpp for these parameters, which were checked.
///
/// Throws with the reason, which says whether smaller sizes may work.
context_pointer make_context(const cl_model & model, const cl_context_params & params, abort_signal & abort);

/// Runs `body`, which makes a context. A failed assertion of ggml in it says something about the model or the settings,
/// not about sizes, whatever llama.cpp makes of it.
template <class Body>
void refusing_aborts(Body && body) {
    const unsigned long aborts = aborts_on_this_thread();
    const auto has_aborted = [aborts] { return aborts != aborts_on_this_thread(); };
    const auto reason = [] { return failure(CL_CONTEXT_UNSUPPORTED, last_abort_on_this_thread()); };
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

}  // namespace cllama
