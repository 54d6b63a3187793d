#pragma once

#include "llama_chat.hpp"

#include <string>

namespace cllama::chat {

/// A conversation to render, checked and in one form.
struct request {
    /// Objects with role, content (string, or array of text parts), and where given reasoning_content, name,
    /// tool_call_id and tool_calls.
    common_json messages = common_json::array();
    /// OpenAI-style; null without tools.
    common_json tools;
    common_chat_tool_choice tool_choice = COMMON_CHAT_TOOL_CHOICE_AUTO;
    bool allows_parallel_calls = true;
    bool adds_generation_prompt = true;
    bool enables_thinking = false;
    common_json variables = common_json::object();
    size_t size_bytes = 0;
};

/// The text of a message's content in either form; parts are joined by line breaks.
std::string joined_text(const common_json & content);

/// Reads the JSON of `cl_chat_render`. Throws `failure(CL_INVALID_ARGUMENT)`, whose text never quotes the request.
request parse_request(const std::string & text);

}  // namespace cllama::chat
