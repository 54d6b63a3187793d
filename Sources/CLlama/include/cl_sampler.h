#ifndef CL_SAMPLER_H
#define CL_SAMPLER_H

#include "cl_base.h"
#include "cl_context.h"
#include "cl_model.h"
#include "cl_status.h"

CL_BEGIN_DECLS

/// One request's sampler chain with its grammar and token history.
typedef struct cl_sampler cl_sampler;

/// When a grammar begins to constrain a reply.
typedef enum cl_grammar_start {
    /// With the first token.
    CL_GRAMMAR_EAGER = 0,
    /// With `cl_sampler_begin_grammar`; up to four characters of white space may come first.
    CL_GRAMMAR_AFTER_MARKER = 1,
    /// With `cl_sampler_begin_grammar`.
    CL_GRAMMAR_ON_TRIGGER = 2,
    /// With the first token, unless the reply begins with `thinking_opener`: then as CL_GRAMMAR_AFTER_MARKER.
    CL_GRAMMAR_OR_THINKING = 3,
} cl_grammar_start;

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
    cl_grammar_start grammar_start;
    /// Whether the grammar describes the thinking too, so that it follows tokens which are forced to end it. One that
    /// such a token does not fit applies no longer.
    bool grammar_covers_thinking;
    /// For CL_GRAMMAR_OR_THINKING.
    const char *CL_NULLABLE thinking_opener;
    const char *CL_NULLABLE thinking_closer;
} cl_sampler_params;

typedef struct cl_token_span {
    const int32_t *CL_NULLABLE tokens;
    size_t count;
} cl_token_span;

/// How many tokens a reply may think.
typedef struct cl_thinking_budget {
    /// What begins thinking, and what ends it.
    cl_token_span opener;
    cl_token_span closer;
    /// What the reply is made to go on with when the budget is used up; never empty.
    cl_token_span forced;
    /// Tokens of thinking, 0 or more; INT32_MAX is no limit.
    int32_t tokens;
    /// The reply begins within its thinking.
    bool is_counting;
} cl_thinking_budget;

typedef enum cl_thinking_state {
    CL_THINKING_NO_BUDGET = 0,
    /// Before the opener.
    CL_THINKING_IDLE = 1,
    CL_THINKING_COUNTING = 2,
    /// Used up, but the last token ends within a character.
    CL_THINKING_WAITING = 3,
    CL_THINKING_FORCING = 4,
    CL_THINKING_DONE = 5,
} cl_thinking_state;

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

/// Starts a grammar that waits; without effect on one that does not, or when there is none.
///
/// `text` is what the reply has of it already, such as the rest of the token that ends the thinking.
/// `CL_GRAMMAR_INVALID`, without effect, when it does not fit.
cl_status cl_sampler_begin_grammar(cl_sampler *CL_NONNULL sampler, const char *CL_NONNULL text, size_t length)
    CL_NOEXCEPT;

/// Limits thinking from now on.
///
/// `CL_INVALID_ARGUMENT` for tokens outside the vocabulary, a negative budget, or nothing to force.
cl_status cl_sampler_limit_thinking(cl_sampler *CL_NONNULL sampler, const cl_thinking_budget *CL_NONNULL budget)
    CL_NOEXCEPT;

/// Makes the reply go on with `forced`; false, without effect, unless it is counting.
bool cl_sampler_end_thinking(cl_sampler *CL_NONNULL sampler, cl_token_span forced) CL_NOEXCEPT;

cl_thinking_state cl_sampler_thinking_state(const cl_sampler *CL_NONNULL sampler) CL_NOEXCEPT;

typedef struct cl_logprob {
    int32_t token;
    /// Natural logarithm of the softmax over the raw logits; −∞ for a token that cannot come.
    double logprob;
} cl_logprob;

/// How likely tokens are behind batch entry `index` of the last decode, whatever a sampler makes of it.
///
/// Writes `chosen` first and then the `count` likeliest, ties by lowest id, so `out` has room for `count` + 1; gives
/// how many were written. `CL_INVALID_ARGUMENT` when the entry has no logits or `chosen` is no token.
cl_status cl_context_logprobs(cl_context *CL_NONNULL context, int32_t index, int32_t chosen, size_t count,
                              cl_logprob *CL_NONNULL out, size_t *CL_NONNULL out_count) CL_NOEXCEPT;

/// The stages of the chain in order, comma-separated, for example "penalties,greedy".
const char *CL_NONNULL cl_sampler_description(const cl_sampler *CL_NONNULL sampler) CL_NOEXCEPT;

CL_END_DECLS

#endif
