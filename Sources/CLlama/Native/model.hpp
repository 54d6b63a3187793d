#pragma once

#include "cl_model.h"
#include "remote/server_set.hpp"
#include "vocabulary.hpp"

#include "llama.h"

#include <atomic>
#include <memory>
#include <string>
#include <vector>

namespace cllama {

struct model_deleter {
    void operator()(llama_model * model) const { llama_model_free(model); }
};

using model_pointer = std::unique_ptr<llama_model, model_deleter>;

}  // namespace cllama

struct cl_model {
    /// Declared before what is kept on them.
    cllama::server_set servers;
    cllama::model_pointer weights;
    /// In the order they were added; llama.cpp frees them with the weights.
    std::vector<llama_adapter_lora *> adapters;
    cllama::vocabulary vocab;
    bool vocab_only;
    std::string description;
    /// Whether a token was computed without a failed assertion; see `cl_context`.
    std::atomic<bool> is_proven{false};

    cl_model(cllama::server_set servers, cllama::model_pointer loaded, bool vocab_only);
};

namespace cllama {

/// The model in a file with numbers in the place of weights: contexts of it take no memory and can never compute.
std::unique_ptr<cl_model> load_outline(const std::string & path, const cl_model_params & params);

}  // namespace cllama
