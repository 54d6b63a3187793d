#pragma once

#include "model.hpp"

#include "llama.h"

#include <cstddef>

namespace cllama {

/// Lets `context` compute with the adapters of `model`; throws unless `scales` fits them.
void set_adapters(const cl_model & model, llama_context * context, const float * scales, size_t count);

}  // namespace cllama
