#ifndef CL_GRAMMAR_H
#define CL_GRAMMAR_H

#include "cl_base.h"
#include "cl_status.h"

CL_BEGIN_DECLS

/// Checks GBNF text without a model; which tokens a vocabulary has does not matter.
///
/// `CL_GRAMMAR_INVALID` when llama.cpp would refuse it or never come back from it, or it repeats without bound what may
/// be empty; `CL_LIMIT_EXCEEDED` when it is longer than 256 KiB, nested deeper than 256 groups, or would take llama.cpp
/// too much time or memory. The reason names the rule.
cl_status cl_grammar_check(const char *CL_NONNULL grammar) CL_NOEXCEPT;

/// Whether the whole of `text` belongs to the grammar, as llama.cpp matches it character by character.
///
/// Text that is no UTF-8 never does. Beside the failures of `cl_grammar_check`: `CL_GRAMMAR_INVALID` for a grammar that
/// names tokens, `CL_LIMIT_EXCEEDED` when the text is longer than 1 MiB or takes too long.
cl_status cl_grammar_matches(const char *CL_NONNULL grammar, const char *CL_NONNULL text, size_t length,
                             bool *CL_NONNULL out_matches) CL_NOEXCEPT;

CL_END_DECLS

#endif
