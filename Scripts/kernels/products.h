#pragma once

#include "ggml.h"

#include <cstddef>

struct ggml_compute_params;

// What ggml's own kernels make sure of before they multiply: graphs can come from elsewhere.
inline void check_product(const ggml_tensor *result) {
    const auto *weights = result->src[0], *inputs = result->src[1];
    GGML_ASSERT(weights->nb[0] == ggml_type_size(weights->type) && inputs->ne[0] == weights->ne[0]);
    GGML_ASSERT(inputs->ne[2] % weights->ne[2] == 0 && inputs->ne[3] % weights->ne[3] == 0);
    GGML_ASSERT(result->type == GGML_TYPE_F32 && result->nb[0] == sizeof(float));
    GGML_ASSERT(result->ne[0] == weights->ne[1] && result->ne[1] == inputs->ne[1]);
    GGML_ASSERT(result->ne[2] == inputs->ne[2] && result->ne[3] == inputs->ne[3]);
}

// Where a product's tensors lie in the third and fourth dimension. Planes of weights are shared by several of columns.
struct Plane {
    const char *weights, *inputs;
    char *products;

    Plane(const ggml_tensor *result, int64_t index) {
        const auto *matrices = result->src[0], *columns = result->src[1];
        const int64_t inner = index % columns->ne[2], outer = index / columns->ne[2];
        weights = static_cast<const char *>(matrices->data) +
                  inner * matrices->ne[2] / columns->ne[2] * matrices->nb[2] +
                  outer * matrices->ne[3] / columns->ne[3] * matrices->nb[3];
        inputs = static_cast<const char *>(columns->data) + inner * columns->nb[2] + outer * columns->nb[3];
        products = static_cast<char *>(result->data) + inner * result->nb[2] + outer * result->nb[3];
    }

    static int64_t count(const ggml_tensor *result) { return result->ne[2] * result->ne[3]; }
};

// Kernels that ggml's multiplication of matrices asks before its own. Each is computed by all threads together; false
// is given, and nothing computed, when the tensors or the processor are not for it, and every thread decides alike.

// Quantised weights of the common types, except those of experts.
bool multiply_panels(const ggml_compute_params *params, ggml_tensor *result);

// Bytes of working memory that it takes with so many threads; 0 when it is not for these tensors.
size_t workspace_of_panels(int threads, const ggml_tensor *result);

// Floating-point weights with columns of their type that do not follow one another in memory.
bool multiply_spread_columns(const ggml_compute_params *params, ggml_tensor *result);
