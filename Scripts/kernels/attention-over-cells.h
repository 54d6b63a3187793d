#pragma once

struct ggml_compute_params;
struct ggml_tensor;

// Computes flash attention over half-precision keys and values, by all threads together. Gives false, and computes
// nothing, when this kernel is not for the tensors or the processor; every thread decides alike.
//
// What a token attends to is added up in an order that depends on nothing but the cells that it sees: not on the
// tokens beside it, nor on cells in between that it does not see, nor on the number of threads.
bool attend_over_cells(const ggml_compute_params *params, ggml_tensor *result);
