#ifndef CL_EMBEDDING_H
#define CL_EMBEDDING_H

#include "cl_base.h"
#include "cl_model.h"
#include "cl_status.h"

CL_BEGIN_DECLS

/// A context that turns whole texts into vectors. Used by one thread at a time.
typedef struct cl_embedder cl_embedder;

/// How the vectors of a text's tokens become the one of the text.
typedef enum cl_pooling {
    /// As the model's file says; the mean where it says nothing.
    CL_POOLING_AUTOMATIC = 0,
    CL_POOLING_MEAN = 1,
    /// The first token's.
    CL_POOLING_CLS = 2,
    CL_POOLING_LAST = 3
} cl_pooling;

typedef struct cl_embedder_params {
    /// Tokens of the longest text, at most 16777216.
    uint32_t context_size;
    /// Tokens computed at once, at most `context_size`. Memory grows with it times the size of the vocabulary.
    uint32_t batch_size;
    /// 1…512.
    int32_t threads;
    /// One scale for each adapter of the model.
    const float *CL_NULLABLE adapter_scales;
    size_t adapter_count;
} cl_embedder_params;

/// Asked often while a text is computed; true ends that.
typedef bool (*cl_embedding_stop)(void *CL_NULLABLE context);

/// Creates an embedder. `model` must outlive it.
///
/// Computes one token with one thread first. Models without a decoder or a memory of their own get
/// `CL_CONTEXT_INIT_FAILED`.
cl_status cl_embedder_create(cl_model *CL_NONNULL model, const cl_embedder_params *CL_NONNULL params,
                             cl_embedder *CL_NULLABLE *CL_NONNULL out_embedder) CL_NOEXCEPT;

void cl_embedder_free(cl_embedder *CL_NULLABLE embedder) CL_NOEXCEPT;

/// Numbers of one embedding.
size_t cl_embedder_width(const cl_embedder *CL_NONNULL embedder) CL_NOEXCEPT;

/// Computes the embedding of `tokens`, not normalised, and writes it to `values`.
///
/// Everything is checked first: 1…context size tokens of the vocabulary and `capacity` of at least the width.
/// `CL_CANCELLED` when `stop` said so, `CL_DECODE_FAILED` also for a model whose own pooling gives no embedding.
cl_status cl_embedder_embed(cl_embedder *CL_NONNULL embedder, const int32_t *CL_NULLABLE tokens, size_t count,
                            cl_pooling pooling, cl_embedding_stop CL_NULLABLE stop, void *CL_NULLABLE stop_context,
                            float *CL_NULLABLE values, size_t capacity) CL_NOEXCEPT;

CL_END_DECLS

#endif
