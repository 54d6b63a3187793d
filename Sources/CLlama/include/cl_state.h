#ifndef CL_STATE_H
#define CL_STATE_H

#include "cl_base.h"
#include "cl_context.h"

CL_BEGIN_DECLS

/// Bytes of all that the memory holds of `sequence`: cells, windows and recurrent state. 0 when it is empty.
///
/// Only a context of the same llama.cpp, model and settings can read them.
size_t cl_state_size(cl_context *CL_NONNULL context, int32_t sequence) CL_NOEXCEPT;

/// Writes those bytes and returns how many, 0 when it failed or `capacity` is too small.
size_t cl_state_save(cl_context *CL_NONNULL context, int32_t sequence, void *CL_NONNULL bytes,
                     size_t capacity) CL_NOEXCEPT;

/// Lets `sequence` hold what the bytes say, which must be `count` tokens. No sequence may hold anything.
///
/// The bytes may be anything: what llama.cpp refuses gives false, and then no sequence holds anything.
bool cl_state_restore(cl_context *CL_NONNULL context, int32_t sequence, const void *CL_NONNULL bytes, size_t size,
                      int32_t count) CL_NOEXCEPT;

CL_END_DECLS

#endif
