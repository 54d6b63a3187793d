/// The narrow C surface of llama.cpp that this package uses.
///
/// Rules that hold for every function:
/// - Nothing throws, aborts or asserts on bad arguments: failures are a `cl_status`, and `cl_last_error`
///   says why on the calling thread.
/// - On failure out-parameters are untouched unless the function says otherwise.
/// - Handles are opaque. Each `_create`/`_load` hands ownership to the caller, who releases it with the
///   matching `_free`; freeing NULL is allowed.
/// - Strings passed in are copied. Strings handed out stay valid until their owner is freed or changed.
#ifndef CLLAMA_H
#define CLLAMA_H

#include "cl_status.h"
#include "cl_runtime.h"
#include "cl_server.h"
#include "cl_model.h"
#include "cl_tokens.h"
#include "cl_context.h"
#include "cl_measure.h"
#include "cl_state.h"
#include "cl_adapter.h"
#include "cl_embedding.h"
#include "cl_grammar.h"
#include "cl_sampler.h"
#include "cl_schema.h"
#include "cl_chat.h"

#endif
