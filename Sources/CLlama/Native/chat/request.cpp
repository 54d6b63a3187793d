#include "request.hpp"

#include "../guard.hpp"
#include "limits.hpp"

#include <algorithm>

namespace cllama::chat {

namespace {

using json = common_json;

[[noreturn]] void refuse(const std::string & reason) {
    throw failure(CL_INVALID_ARGUMENT, reason);
}

void check_depth(const std::string & text) {
    size_t depth = 0;
    bool in_string = false;
    for (size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (in_string) {
            i += c == '\\' ? 1 : 0;
            in_string = c != '"';
        } else if (c == '"') {
            in_string = true;
        } else if (c == '{' || c == '[') {
            if (++depth > MAX_REQUEST_DEPTH) {
                refuse("The request nests deeper than " + std::to_string(MAX_REQUEST_DEPTH) + " levels.");
            }
        } else if (c == '}' || c == ']') {
            depth -= depth > 0 ? 1 : 0;
        }
    }
}

void check_keys(const json & value) {
    if (value.is_object() && value.size() > MAX_OBJECT_KEYS) {
        refuse("An object of the request has more than " + std::to_string(MAX_OBJECT_KEYS) + " keys.");
    }
    if (value.is_object() || value.is_array()) {
        for (const auto & element : value) {
            check_keys(element);
        }
    }
}

bool has(const json & object, const char * key) {
    return object.contains(key) && !object.at(key).is_null();
}

std::string text_of(const json & object, const char * key, const std::string & place) {
    if (!has(object, key)) {
        return "";
    }
    if (!object.at(key).is_string()) {
        refuse(place + "." + key + " is not a string.");
    }
    return object.at(key).get<std::string>();
}

bool flag_of(const json & object, const char * key, bool otherwise) {
    if (!has(object, key)) {
        return otherwise;
    }
    if (!object.at(key).is_boolean()) {
        refuse(std::string(key) + " is not a boolean.");
    }
    return object.at(key).get<bool>();
}

/// The elements of an array that may be absent.
const json & array_of(const json & object, const char * key, const std::string & place) {
    static const json none = json::array();
    if (!has(object, key)) {
        return none;
    }
    if (!object.at(key).is_array()) {
        refuse(place + key + " is not an array.");
    }
    return object.at(key);
}

std::string element(const std::string & list, size_t index) {
    return list + "[" + std::to_string(index) + "]";
}

void require_object(const json & value, const std::string & place) {
    if (!value.is_object()) {
        refuse(place + " is not an object.");
    }
}

/// Templates fail on an absent content, so there always is one.
json content_of(const json & message, const std::string & place) {
    if (!has(message, "content")) {
        return json("");
    }
    const json & content = message.at("content");
    if (content.is_string()) {
        return content;
    }
    if (!content.is_array()) {
        refuse(place + ".content is neither a string nor an array.");
    }
    json parts = json::array();
    for (size_t i = 0; i < content.size(); ++i) {
        const std::string part = element(place + ".content", i);
        require_object(content.at(i), part);
        if (text_of(content.at(i), "type", part) != "text" || !has(content.at(i), "text")) {
            refuse(part + " is not a text part.");
        }
        parts.push_back(json::object({{"type", "text"}, {"text", text_of(content.at(i), "text", part)}}));
    }
    return parts;
}

json tool_call_of(const json & call, const std::string & place) {
    require_object(call, place);
    if (!has(call, "function")) {
        refuse(place + ".function is missing.");
    }
    const json & function = call.at("function");
    require_object(function, place + ".function");
    const std::string name = text_of(function, "name", place + ".function");
    if (name.empty()) {
        refuse(place + ".function.name is missing.");
    }
    json called = json::object();
    called["name"] = name;
    called["arguments"] = has(function, "arguments") ? function.at("arguments") : json::object();
    json result = json::object();
    if (has(call, "id")) {
        result["id"] = text_of(call, "id", place);
    }
    result["type"] = "function";
    result["function"] = called;
    return result;
}

json message_of(const json & message, const std::string & place) {
    require_object(message, place);
    const std::string role = text_of(message, "role", place);
    if (role.empty()) {
        refuse(place + ".role is missing.");
    }
    json result = json::object();
    result["role"] = role;
    result["content"] = content_of(message, place);
    for (const char * key : {"reasoning_content", "name", "tool_call_id"}) {
        const std::string text = text_of(message, key, place);
        if (!text.empty()) {
            result[key] = text;
        }
    }
    const json & calls = array_of(message, "tool_calls", place + ".");
    if (!calls.empty()) {
        json list = json::array();
        for (size_t i = 0; i < calls.size(); ++i) {
            list.push_back(tool_call_of(calls.at(i), element(place + ".tool_calls", i)));
        }
        result["tool_calls"] = list;
    }
    return result;
}

/// Templates fail on tools without a description or parameters, so there always are some.
json tool_of(const json & tool, const std::string & place) {
    require_object(tool, place);
    if (has(tool, "type") && text_of(tool, "type", place) != "function") {
        refuse(place + ".type is not \"function\".");
    }
    if (!has(tool, "function")) {
        refuse(place + ".function is missing.");
    }
    const json & function = tool.at("function");
    require_object(function, place + ".function");
    json described = json::object();
    described["name"] = text_of(function, "name", place + ".function");
    if (described.at("name").get<std::string>().empty()) {
        refuse(place + ".function.name is missing.");
    }
    described["description"] = text_of(function, "description", place + ".function");
    described["parameters"] = has(function, "parameters")
                                  ? function.at("parameters")
                                  : json::object({{"type", "object"}, {"properties", json::object()}});
    require_object(described.at("parameters"), place + ".function.parameters");
    for (const auto & [key, value] : function.items()) {
        if (!described.contains(key)) {
            described[key] = value;
        }
    }
    return json::object({{"type", "function"}, {"function", described}});
}

/// Variables of the template that have members of their own in the request or in `cl_chat_params`.
void check_variables(const json & variables) {
    require_object(variables, "kwargs");
    for (const char * name : {"messages", "tools", "add_generation_prompt", "enable_thinking", "bos_token",
                              "eos_token"}) {
        if (variables.contains(name)) {
            refuse(std::string("kwargs.") + name + " is not a further variable.");
        }
    }
}

common_chat_tool_choice tool_choice_of(const json & body) {
    const std::string choice = text_of(body, "tool_choice", "request");
    if (choice.empty() || choice == "auto") {
        return COMMON_CHAT_TOOL_CHOICE_AUTO;
    }
    if (choice == "none") {
        return COMMON_CHAT_TOOL_CHOICE_NONE;
    }
    if (choice == "required") {
        return COMMON_CHAT_TOOL_CHOICE_REQUIRED;
    }
    refuse("tool_choice is none of \"auto\", \"none\" and \"required\".");
}

json parsed_body(const std::string & text) {
    check_depth(text);
    json body = json::parse_no_throw(text);
    if (body.is_discarded()) {
        refuse("The request is not valid JSON.");
    }
    require_object(body, "The request");
    check_keys(body);
    return body;
}

}  // namespace

std::string joined_text(const json & content) {
    if (content.is_string()) {
        return content.get<std::string>();
    }
    std::string text;
    for (const auto & part : content) {
        text += (text.empty() ? "" : "\n") + part.at("text").get<std::string>();
    }
    return text;
}

request parse_request(const std::string & text) {
    const json body = parsed_body(text);
    request result;
    result.size_bytes = text.size();
    if (!has(body, "messages")) {
        refuse("messages is missing.");
    }
    const json & messages = array_of(body, "messages", "");
    for (size_t i = 0; i < messages.size(); ++i) {
        result.messages.push_back(message_of(messages.at(i), element("messages", i)));
    }
    const json & tools = array_of(body, "tools", "");
    if (!tools.empty()) {
        result.tools = json::array();
        for (size_t i = 0; i < tools.size(); ++i) {
            result.tools.push_back(tool_of(tools.at(i), element("tools", i)));
        }
    }
    result.tool_choice = tool_choice_of(body);
    result.allows_parallel_calls = flag_of(body, "parallel_tool_calls", true);
    result.adds_generation_prompt = flag_of(body, "add_generation_prompt", true);
    result.enables_thinking = flag_of(body, "enable_thinking", false);
    if (has(body, "kwargs")) {
        check_variables(body.at("kwargs"));
        result.variables = body.at("kwargs");
    }
    return result;
}

}  // namespace cllama::chat
