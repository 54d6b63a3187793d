#ifndef CL_STATUS_H
#define CL_STATUS_H

#include "cl_base.h"

CL_BEGIN_DECLS

/// What a call came to.
typedef enum cl_status {
    CL_OK = 0,
    /// An argument is out of range or contradicts another.
    CL_INVALID_ARGUMENT = 1,
    /// The package was built without a llama artifact.
    CL_RUNTIME_UNAVAILABLE = 2,
    /// The file is no model that llama.cpp can load.
    CL_MODEL_LOAD_FAILED = 3,
    /// The context could not be created with these parameters.
    CL_CONTEXT_INIT_FAILED = 4,
    /// The text could not be turned into tokens.
    CL_TOKENIZE_FAILED = 5,
    /// The KV cache has no room for the batch.
    CL_CONTEXT_FULL = 6,
    /// The caller asked to stop (load progress or `cl_context_request_abort`).
    CL_CANCELLED = 7,
    /// llama.cpp could not compute the batch.
    CL_DECODE_FAILED = 8,
    /// The grammar is refused by llama.cpp.
    CL_GRAMMAR_INVALID = 9,
    /// No token can be sampled, or the sampler cannot be built.
    CL_SAMPLER_FAILED = 10,
    /// The chat template is refused or failed while rendering.
    CL_TEMPLATE_FAILED = 11,
    /// A bound on time, size or depth was reached.
    CL_LIMIT_EXCEEDED = 12,
    CL_OUT_OF_MEMORY = 13,
    /// Anything else: a C++ exception without a better name.
    CL_INTERNAL = 14,
    /// A server of the model broke off or does not answer. Its models and their contexts can only be freed.
    CL_SERVER_LOST = 15,
    /// No context of the model works with these settings, however small it is.
    CL_CONTEXT_UNSUPPORTED = 16,
} cl_status;

/// The reason of the last failure on the calling thread; empty after a success. Never NULL.
///
/// Valid until the next call of this library on the same thread.
const char *CL_NONNULL cl_last_error(void) CL_NOEXCEPT;

CL_END_DECLS

#endif
