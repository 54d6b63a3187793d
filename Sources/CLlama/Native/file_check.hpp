#pragma once

#include <string>

namespace cllama {

/// Refuses a model file that llama.cpp would hang on, or that it would load and then crash with.
///
/// What llama.cpp itself refuses with an error is left to it.
void check_file(const std::string & path);

}  // namespace cllama
