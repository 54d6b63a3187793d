#include "legacy.hpp"

#include "../guard.hpp"
#include "limits.hpp"
#include "provenance.hpp"
#include "text.hpp"

#include "llama.h"

#include <vector>

namespace cllama::chat {

namespace {

struct turn {
    std::string role;
    std::string content;
};

std::vector<turn> turns_of(const request & asked) {
    std::vector<turn> turns;
    for (const auto & message : asked.messages) {
        turns.push_back({message.at("role").get<std::string>(), joined_text(message.at("content"))});
    }
    return turns;
}

/// Texts that occur nowhere in the conversation stand for the contents, so that these can be told from the rest.
std::vector<turn> with_placeholders(const std::vector<turn> & turns) {
    std::string filler = "\x01";
    for (bool is_unique = false; !is_unique; filler += "\x01") {
        is_unique = true;
        for (const auto & turn : turns) {
            is_unique = is_unique && (turn.content + turn.role).find(filler) == std::string::npos;
        }
    }
    std::vector<turn> result;
    for (size_t i = 0; i < turns.size(); ++i) {
        result.push_back({turns[i].role, filler + std::to_string(i) + filler});
    }
    return result;
}

/// Empty when the API does not know the template.
std::string rendered(const std::string & source, const std::vector<turn> & turns, bool adds_generation_prompt) {
    std::vector<llama_chat_message> messages;
    size_t bytes = 0;
    for (const auto & turn : turns) {
        messages.push_back({turn.role.c_str(), turn.content.c_str()});
        bytes += turn.role.size() + turn.content.size() + 64;
    }
    std::vector<char> buffer(2 * bytes + 256);
    for (int attempt = 0; attempt < 2; ++attempt) {
        const int32_t length =
            llama_chat_apply_template(source.c_str(), messages.data(), messages.size(), adds_generation_prompt,
                                      buffer.data(), static_cast<int32_t>(buffer.size()));
        if (length < 0) {
            throw failure(CL_TEMPLATE_FAILED, "llama.cpp knows no chat template of this name or form.");
        }
        if (static_cast<size_t>(length) <= buffer.size()) {
            return std::string(buffer.data(), static_cast<size_t>(length));
        }
        buffer.resize(static_cast<size_t>(length));
    }
    throw failure(CL_TEMPLATE_FAILED, "llama.cpp could not apply the legacy chat template.");
}

/// `skeleton` with the contents in place of their placeholders. Some legacy templates trim contents.
marked_text filled(const std::string & skeleton, const std::vector<turn> & placeholders,
                   const std::vector<turn> & turns, bool trims) {
    marked_text result;
    size_t start = 0;
    for (size_t i = 0; i < turns.size(); ++i) {
        const size_t at = skeleton.find(placeholders[i].content, start);
        if (at == std::string::npos) {
            throw failure(CL_TEMPLATE_FAILED, "The legacy chat template leaves out a message of role " +
                                                  turns[i].role.substr(0, 32) + ".");
        }
        result.push_back({false, skeleton.substr(start, at - start)});
        result.push_back({true, trims ? trimmed(turns[i].content) : turns[i].content});
        start = at + placeholders[i].content.size();
    }
    result.push_back({false, skeleton.substr(start)});
    return merged(result);
}

std::string joined(const marked_text & text) {
    std::string result;
    for (const auto & part : text) {
        result += part.val;
    }
    return result;
}

bool has_nul(const std::vector<turn> & turns) {
    for (const auto & turn : turns) {
        if (turn.content.find('\0') != std::string::npos) {
            return true;
        }
    }
    return false;
}

}  // namespace

bool legacy_knows(const std::string & source) {
    const llama_chat_message probe = {"user", "x"};
    return !source.empty() && llama_chat_apply_template(source.c_str(), &probe, 1, true, nullptr, 0) >= 0;
}

marked_text legacy_prompt(const std::string & source, const request & asked) {
    const std::vector<turn> turns = turns_of(asked);
    const std::vector<turn> placeholders = with_placeholders(turns);
    const std::string skeleton = rendered(source, placeholders, asked.adds_generation_prompt);
    marked_text whole = filled(skeleton, placeholders, turns, false);
    if (!has_nul(turns) && joined(whole) != rendered(source, turns, asked.adds_generation_prompt)) {
        return filled(skeleton, placeholders, turns, true);
    }
    return whole;
}

}  // namespace cllama::chat
