#ifndef CL_MEASURE_H
#define CL_MEASURE_H

#include "cl_base.h"
#include "cl_context.h"
#include "cl_model.h"
#include "cl_status.h"

CL_BEGIN_DECLS

/// A model without memory for its weights: the header, the vocabulary, and where each tensor would lie.
///
/// Says what contexts would take, and can do nothing else. Used by one thread at a time.
typedef struct cl_outline cl_outline;

typedef enum cl_device_kind { CL_DEVICE_HOST = 0, CL_DEVICE_GPU = 1, CL_DEVICE_OTHER = 2 } cl_device_kind;

/// What one device holds, in bytes.
typedef struct cl_device_memory {
    /// llama.cpp's name of the device, for instance "CPU"; valid as long as the process.
    const char *CL_NONNULL name;
    cl_device_kind kind;
    /// What the device says about itself; 0 when it says nothing.
    uint64_t total;
    uint64_t free;
    /// Weights, KV cache or state, and buffers to compute in.
    uint64_t model;
    uint64_t context;
    uint64_t compute;
    /// The largest tensor that lasts, of weights and cache; 0 when it is not known.
    uint64_t largest_tensor;
    /// The most that the device gives in one piece; 0 for no limit.
    uint64_t maximum_buffer;
} cl_device_memory;

/// Reads a GGUF file as `cl_model_load` does with the same parameters, but allocates and reads no weights.
///
/// Servers are not supported: `CL_INVALID_ARGUMENT`.
cl_status cl_outline_load(const char *CL_NONNULL path, const cl_model_params *CL_NONNULL params,
                          cl_outline *CL_NULLABLE *CL_NONNULL out_outline) CL_NOEXCEPT;

void cl_outline_free(cl_outline *CL_NULLABLE outline) CL_NOEXCEPT;

/// Tokens the model was trained on; 0 when the file does not say.
int32_t cl_outline_training_context(const cl_outline *CL_NONNULL outline) CL_NOEXCEPT;

/// What weights and a context of these parameters take on each device, the host first.
///
/// Writes at most `capacity` devices and the number there are. Allocates neither KV cache nor compute buffers, but
/// states of recurrent layers, and for a moment buffers to compute one token in. Weights are counted as they lie in
/// memory, in whatever layout a device wants, whether or not they would be mapped. Statuses are those of
/// `cl_context_create`.
cl_status cl_outline_measure(cl_outline *CL_NONNULL outline, const cl_context_params *CL_NONNULL params,
                             cl_device_memory *CL_NULLABLE devices, size_t capacity, size_t *CL_NONNULL out_count)
    CL_NOEXCEPT;

/// What a context and the weights it computes with did take, the host first; as `cl_outline_measure` writes it.
///
/// The weights of a mapped file count as its mapping, with the parts that were copied into another layout.
cl_status cl_context_measure(const cl_context *CL_NONNULL context, cl_device_memory *CL_NULLABLE devices,
                             size_t capacity, size_t *CL_NONNULL out_count) CL_NOEXCEPT;

CL_END_DECLS

#endif
