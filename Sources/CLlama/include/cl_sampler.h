#ifndef CL_SAMPLER_H
#define CL_SAMPLER_H

#include "cl_base.h"
#include "cl_context.h"
#include "cl_model.h"
#include "cl_status.h"

CL_BEGIN_DECLS

/// One request's sampler chain with its grammar and token history.
typedef struct cl_sampler cl_sampler;

typedef struct cl_sampler_params {
    /// Used as given: equal seeds repeat a run.
    uint32_t seed;
    /// 0 or less is greedy: the likeliest token, ties by lowest id.
    float temperature;
    /// 0 or less: no limit.
    int32_t top_k;
    /// 1 or more: off.
    float top_p;
    /// 0: off.
    float min_p;
    /// Generated tokens that penalties look back on, at most 1048576; 0 turns penalties off. The prompt never counts,
    /// nor do tokens that end a reply.
    int32_t penalty_window;
    float repetition_penalty;
    float presence_penalty;
    /// GBNF text with a `root` rule, or NULL.
    const char *CL_NULLABLE grammar;
} cl_sampler_params;

/// Builds the chain penalties → (greedy, or top-k → top-p → min-p → temperature → distribution).
///
/// `CL_GRAMMAR_INVALID` when llama.cpp refuses the grammar, `CL_LIMIT_EXCEEDED` when it is longer than 256 KiB or would
/// take llama.cpp too much time or memory. `model` must outlive the sampler.
cl_status cl_sampler_create(const cl_model *CL_NONNULL model, const cl_sampler_params *CL_NONNULL params,
                            cl_sampler *CL_NULLABLE *CL_NONNULL out_sampler) CL_NOEXCEPT;

void cl_sampler_free(cl_sampler *CL_NULLABLE sampler) CL_NOEXCEPT;

/// Picks a token from the logits of batch entry `index` of the last decode and accepts it.
///
/// With a grammar the token always fits it; control tokens fit only where the grammar names or spells them.
/// `CL_SAMPLER_FAILED` when no token fits.
cl_status cl_sampler_sample(cl_sampler *CL_NONNULL sampler, cl_context *CL_NONNULL context, int32_t index,
                            int32_t *CL_NONNULL out_token) CL_NOEXCEPT;

/// The stages of the chain in order, comma-separated, for example "penalties,greedy".
const char *CL_NONNULL cl_sampler_description(const cl_sampler *CL_NONNULL sampler) CL_NOEXCEPT;

/// Turns a JSON Schema into a GBNF grammar; freed with `cl_string_free`.
///
/// A "pattern" that no grammar can express is left out. Schemas above 256 KiB or 64 levels are `CL_LIMIT_EXCEEDED`.
cl_status cl_grammar_from_schema(const char *CL_NONNULL schema_json, char *CL_NULLABLE *CL_NONNULL out_grammar)
    CL_NOEXCEPT;

void cl_string_free(char *CL_NULLABLE string) CL_NOEXCEPT;

CL_END_DECLS

#endif
