#ifndef CL_CHAT_H
#define CL_CHAT_H

#include "cl_base.h"
#include "cl_status.h"
#include "cl_tokens.h"

CL_BEGIN_DECLS

/// A compiled chat template. Immutable, so it may be used from several threads at once.
typedef struct cl_chat cl_chat;

/// A rendered conversation.
typedef struct cl_chat_rendering cl_chat_rendering;

typedef struct cl_chat_params {
    /// Jinja text, or one of llama.cpp's legacy template names ("chatml").
    const char *CL_NONNULL source;
    size_t source_length;
    /// The variant used when tools are present, or NULL.
    const char *CL_NULLABLE tool_source;
    size_t tool_source_length;
    /// Texts of the BOS and EOS tokens, "" when the vocabulary has none.
    const char *CL_NONNULL bos_text;
    const char *CL_NONNULL eos_text;
    /// The tokeniser adds these itself, so that a rendered one is dropped.
    bool adds_bos;
    bool adds_eos;
} cl_chat_params;

/// Compiles a template.
///
/// Hostile text is answered with `CL_TEMPLATE_FAILED` or `CL_LIMIT_EXCEEDED` within 5 seconds; the process stays
/// usable. The template is test-rendered to learn what it supports, which can take tens of milliseconds.
cl_status cl_chat_create(const cl_chat_params *CL_NONNULL params, cl_chat *CL_NULLABLE *CL_NONNULL out_chat)
    CL_NOEXCEPT;

void cl_chat_free(cl_chat *CL_NULLABLE chat) CL_NOEXCEPT;

/// "llama-jinja" or "legacy-c-api".
const char *CL_NONNULL cl_chat_formatter(const cl_chat *CL_NONNULL chat) CL_NOEXCEPT;

/// Whether the template writes the tools of a request into the prompt.
bool cl_chat_knows_tools(const cl_chat *CL_NONNULL chat) CL_NOEXCEPT;

/// Renders a conversation.
///
/// `request` is a JSON object of UTF-8 text:
/// - "messages": OpenAI-style array (role, content, reasoning_content, tool_calls, tool_call_id, name)
/// - "tools": OpenAI-style array, may be absent
/// - "tool_choice": "auto" (default), "none" or "required"
/// - "parallel_tool_calls": bool, default true
/// - "add_generation_prompt": bool, default true
/// - "enable_thinking": bool, default false
/// - "kwargs": object of further template variables (reasoning_effort, preserve_thinking), may be absent
///
/// `CL_INVALID_ARGUMENT` for a malformed request, `CL_TEMPLATE_FAILED` with the template's own message,
/// `CL_LIMIT_EXCEEDED` within 5 seconds when the template runs too long, nests too deep or prints too much.
cl_status cl_chat_render(const cl_chat *CL_NONNULL chat, const char *CL_NONNULL request, size_t request_length,
                         cl_chat_rendering *CL_NULLABLE *CL_NONNULL out_rendering) CL_NOEXCEPT;

void cl_chat_rendering_free(cl_chat_rendering *CL_NULLABLE rendering) CL_NOEXCEPT;

/// The prompt, and its length in bytes.
const char *CL_NONNULL cl_chat_rendering_prompt(const cl_chat_rendering *CL_NONNULL rendering,
                                                size_t *CL_NONNULL out_length) CL_NOEXCEPT;

/// The segments of the prompt in order; their lengths add up to the prompt's. Neighbours differ in `is_input`.
const cl_segment *CL_NULLABLE cl_chat_rendering_segments(const cl_chat_rendering *CL_NONNULL rendering,
                                                         size_t *CL_NONNULL out_count) CL_NOEXCEPT;

/// What llama.cpp learnt from the template for reading the reply, as a JSON object:
/// "format", "thinking_start", "thinking_ends", "generation_prompt", "grammar", "grammar_lazy",
/// "triggers" ([{type, value}], type "word", "token", "pattern" or "pattern-full"), "preserved_tokens", "stops",
/// "parser"; with tools, if they were found, "tool_markers" ({format, function, arguments, call_id} with the fields of
/// llama.cpp's analysis).
const char *CL_NONNULL cl_chat_rendering_details(const cl_chat_rendering *CL_NONNULL rendering) CL_NOEXCEPT;

CL_END_DECLS

#endif
