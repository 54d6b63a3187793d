#pragma once

#include "llama.h"

#include <string>

namespace cllama {

/// The value of a key of the model's file that begins with the name of the architecture; empty without one.
std::string own_metadata(const llama_model * model, const char * key);

}  // namespace cllama
