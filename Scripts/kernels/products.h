#pragma once

#include <cstddef>

struct ggml_compute_params;
struct ggml_tensor;

// Kernels that ggml's multiplication of matrices asks before its own. Each is computed by all threads together; false
// is given, and nothing computed, when the tensors or the processor are not for it, and every thread decides alike.

// Quantised weights of the common types, except those of experts.
bool multiply_panels(const ggml_compute_params *params, ggml_tensor *result);

// Bytes of working memory that it takes with so many threads; 0 when it is not for these tensors.
size_t workspace_of_panels(int threads, const ggml_tensor *result);

// Floating-point weights with columns of their type that do not follow one another in memory.
bool multiply_spread_columns(const ggml_compute_params *params, ggml_tensor *result);
