#include "adaptation.hpp"

#include "text.hpp"

#include <ctime>

namespace cllama::chat {

namespace {

using json = common_json;

bool contains(const std::string & text, const char * part) {
    return text.find(part) != std::string::npos;
}

std::string role_of(const json & message) {
    return message.at("role").get<std::string>();
}

json typed_part(const std::string & text) {
    return json::object({{"type", "text"}, {"text", text}});
}

json with_prefix(const json & content, const std::string & prefix) {
    if (content.is_string()) {
        return json(prefix + content.get<std::string>());
    }
    json parts = json::array();
    parts.push_back(typed_part(prefix));
    parts.insert(content);
    return parts;
}

json user_message(const std::string & text) {
    return json::object({{"role", "user"}, {"content", text}});
}

json without_system_role(const json & messages) {
    static const std::string blank_line = "\n\n";
    json result = json::array();
    std::string pending;
    for (auto message : messages) {
        if (role_of(message) == "system") {
            const std::string text = joined_text(message.at("content"));
            pending += (pending.empty() || text.empty() ? "" : blank_line) + text;
            continue;
        }
        if (role_of(message) == "user" && !pending.empty()) {
            message["content"] = with_prefix(message.at("content"), pending + blank_line);
            pending.clear();
        }
        result.push_back(message);
    }
    if (!pending.empty()) {
        result.push_back(user_message(pending));
    }
    return result;
}

/// StepFun models fall into endless reasoning on blanks around a text.
bool wants_trimmed_texts(const std::string & source) {
    return contains(source, "You have access to the following functions in JSONSchema format");
}

void trim_texts(json & message) {
    json & content = message["content"];
    if (content.is_string()) {
        content = json(trimmed(content.get<std::string>()));
    } else {
        for (auto & part : content) {
            part["text"] = trimmed(part.at("text").get<std::string>());
        }
    }
    if (message.contains("reasoning_content")) {
        message["reasoning_content"] = trimmed(message.at("reasoning_content").get<std::string>());
    }
}

/// llama.cpp hands thoughts to Mistral's templates as parts of type "thinking". Those that do not know the type drop
/// the whole turn.
bool drops_turns_with_thoughts(const std::string & source) {
    return contains(source, "[SYSTEM_PROMPT]") && contains(source, "[ARGS]") && !contains(source, "thinking");
}

void adapt_content(json & message, const jinja::caps & capabilities) {
    json & content = message["content"];
    const bool takes_strings = capabilities.supports_string_content;
    const bool takes_parts = capabilities.supports_typed_content;
    if (takes_parts && !takes_strings && content.is_string()) {
        const json part = typed_part(content.get<std::string>());
        content = json::array();
        content.push_back(part);
    } else if (takes_strings && !takes_parts && content.is_array()) {
        content = json(joined_text(content));
    }
}

void adapt_arguments(json & message, bool takes_objects) {
    if (!message.contains("tool_calls")) {
        return;
    }
    for (auto & call : message["tool_calls"]) {
        json & arguments = call["function"]["arguments"];
        if (takes_objects && arguments.is_string()) {
            json parsed = json::parse_no_throw(arguments.get<std::string>());
            if (!parsed.is_discarded()) {
                arguments = parsed;
            }
        } else if (!takes_objects && !arguments.is_string()) {
            arguments = json(arguments.dump_safe());
        }
    }
}

json adapted_messages(const request & asked, const compiled_template & target) {
    const jinja::caps & capabilities = target.capabilities();
    const bool has_channels = contains(target.source(), "<|channel|>");
    const bool hides_thoughts = drops_turns_with_thoughts(target.source());
    const bool trims = wants_trimmed_texts(target.source());
    json messages = asked.messages;
    for (auto & message : messages) {
        if (!has_channels && role_of(message) == "developer") {
            message["role"] = "system";
        }
    }
    if (!capabilities.supports_system_role) {
        messages = without_system_role(messages);
    }
    for (auto & message : messages) {
        adapt_content(message, capabilities);
        adapt_arguments(message, capabilities.supports_object_arguments);
        if (trims) {
            trim_texts(message);
        }
        if (hides_thoughts) {
            message.erase("reasoning_content");
        }
    }
    return messages;
}

std::string today(const char * format) {
    const std::time_t now = std::time(nullptr);
    std::tm local{};
    localtime_r(&now, &local);
    char buffer[64];
    return std::string(buffer, std::strftime(buffer, sizeof(buffer), format, &local));
}

/// Template families have different names, and some the opposite sense, for keeping earlier thoughts.
void add_synonyms(json & variables) {
    if (!variables.contains("preserve_thinking") || !variables.at("preserve_thinking").is_boolean()) {
        return;
    }
    const bool drops = !variables.at("preserve_thinking").get<bool>();
    for (const char * name : {"clear_thinking", "truncate_history_thinking", "drop_thinking"}) {
        if (!variables.contains(name)) {
            variables[name] = drops;
        }
    }
}

/// Firefunction's template has the tools as text under a name of its own, and else leaves them out.
bool wants_functions(const compiled_template & target) {
    return !target.capabilities().supports_tools && contains(target.source(), "functions");
}

void add_functions(json & variables, const json & tools, const compiled_template & target) {
    constexpr int indent = 4;
    if (!tools.is_array() || !wants_functions(target)) {
        return;
    }
    json functions = json::array();
    for (const auto & tool : tools) {
        functions.push_back(tool.at("function"));
    }
    variables["functions"] = functions.dump_safe(indent);
}

json adapted_variables(const request & asked, const compiled_template & target) {
    json variables = json::object();
    // llama.cpp overwrites it with true, and else leaves it undefined, which some templates take for true.
    variables["add_generation_prompt"] = false;
    variables["datetime"] = today("%b %d %Y");
    variables["date_string"] = today("%d %b %Y");
    add_functions(variables, asked.tools, target);
    for (const auto & [key, value] : asked.variables.items()) {
        variables[key] = value;
    }
    add_synonyms(variables);
    return variables;
}

}  // namespace

bool knows_tools(const compiled_template & target) {
    return target.capabilities().supports_tools || wants_functions(target);
}

autoparser::generation_params adapted(const request & asked, const compiled_template & target) {
    autoparser::generation_params result;
    result.messages = adapted_messages(asked, target);
    result.tools = asked.tools;
    result.tool_choice = asked.tool_choice;
    result.parallel_tool_calls = asked.allows_parallel_calls;
    result.add_generation_prompt = asked.adds_generation_prompt;
    result.enable_thinking = asked.enables_thinking;
    result.extra_context = adapted_variables(asked, target);
    result.reasoning_format = COMMON_REASONING_FORMAT_DEEPSEEK;
    return result;
}

}  // namespace cllama::chat
