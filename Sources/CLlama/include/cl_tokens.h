#ifndef CL_TOKENS_H
#define CL_TOKENS_H

#include "cl_base.h"
#include "cl_model.h"
#include "cl_status.h"

CL_BEGIN_DECLS

/// A run of bytes of a prompt and where it came from.
typedef struct cl_segment {
    size_t length;
    /// Text of a user, a model or a tool: never yields a control or marker token.
    bool is_input;
} cl_segment;

/// Turns `length` bytes into tokens.
///
/// The text is cut at special tokens that lie wholly inside template segments, exactly as llama.cpp's server
/// cuts a whole prompt; everything between two of them is tokenised as one piece of text, whatever segments it
/// spans. Text of input segments never becomes a marker, but no byte is lost. Markers are the control tokens and the
/// user-defined ones, except user-defined tokens for white space or a single character: those are ordinary text.
/// No BOS or EOS is added. Any bytes are allowed, also NUL; what is no UTF-8 becomes byte tokens, or U+FFFD where the
/// vocabulary has none.
///
/// - `segments` must cover the bytes exactly: their lengths add up to `length`.
/// - `out_count` receives the number of tokens needed, also when it exceeds `capacity`; no more than `capacity`
///   tokens are written.
/// - Cost: linear in `length`. Thread-safe.
cl_status cl_tokenize(const cl_model *CL_NONNULL model, const char *CL_NULLABLE bytes, size_t length,
                      const cl_segment *CL_NULLABLE segments, size_t segment_count, int32_t *CL_NULLABLE tokens,
                      size_t capacity, size_t *CL_NONNULL out_count) CL_NOEXCEPT;

/// Writes the bytes of `token` and returns how many there are; nothing is written if they exceed `capacity`.
///
/// The bytes may be part of a character. Control tokens give no bytes unless `renders_special`. An id outside the
/// vocabulary gives 0.
size_t cl_token_bytes(const cl_model *CL_NONNULL model, int32_t token, bool renders_special,
                      char *CL_NULLABLE bytes, size_t capacity) CL_NOEXCEPT;

/// Whether `token` ends a turn (end of generation); false for ids outside the vocabulary.
bool cl_token_ends_generation(const cl_model *CL_NONNULL model, int32_t token) CL_NOEXCEPT;

/// Whether `token` is a control token; false for ids outside the vocabulary.
bool cl_token_is_control(const cl_model *CL_NONNULL model, int32_t token) CL_NOEXCEPT;

/// Whether `cl_tokenize` gives `token` for template text only; false for ids outside the vocabulary.
bool cl_token_is_marker(const cl_model *CL_NONNULL model, int32_t token) CL_NOEXCEPT;

/// The id of the special token (control or user-defined) whose text is exactly `text`, or −1.
int32_t cl_token_special(const cl_model *CL_NONNULL model, const char *CL_NONNULL text) CL_NOEXCEPT;

CL_END_DECLS

#endif
