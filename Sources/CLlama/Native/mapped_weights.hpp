#pragma once

#include "llama.h"

namespace cllama {

/// Gives back the memory of those parts of a mapped file that the model does not compute with.
///
/// llama.cpp maps whole files and then copies many weights, to other devices or into layouts that its kernels read
/// faster. The pages they came from would count as memory of this process for as long as the model lives. A page
/// that is read later all the same comes back from the file. Does nothing where the system counts no such pages.
void release_copied_weights(const llama_model * model);

}  // namespace cllama
