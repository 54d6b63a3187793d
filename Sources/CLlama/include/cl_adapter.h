#ifndef CL_ADAPTER_H
#define CL_ADAPTER_H

#include "cl_base.h"
#include "cl_context.h"
#include "cl_model.h"
#include "cl_status.h"

CL_BEGIN_DECLS

/// Loads a LoRA adapter from a GGUF file for use with `model`, which owns it from then on.
///
/// Belongs to loading: call it before the first context of the model is created and from one thread. Adapters are
/// numbered in the order of these calls. `CL_MODEL_LOAD_FAILED` when the file is no LoRA adapter of this model, is
/// damaged, or is one that works behind an invocation text only.
cl_status cl_model_add_adapter(cl_model *CL_NONNULL model, const char *CL_NONNULL path) CL_NOEXCEPT;

/// Adapters that were added.
size_t cl_model_adapter_count(const cl_model *CL_NONNULL model) CL_NOEXCEPT;

/// Lets `context` compute with the adapters of its model from now on, each with its own scale; 0 leaves one out.
///
/// `scales` holds a finite number for every adapter. Forgets every sequence and computes one token with one thread, to
/// meet adapters that the model cannot be computed with: `CL_CONTEXT_INIT_FAILED`, and the context is of no more use.
cl_status cl_context_set_adapters(cl_context *CL_NONNULL context, const float *CL_NULLABLE scales, size_t count)
    CL_NOEXCEPT;

CL_END_DECLS

#endif
