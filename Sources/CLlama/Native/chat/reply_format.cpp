#include "reply_format.hpp"

#include "../guard.hpp"
#include "text.hpp"
#include "tool_schemas.hpp"

#include <optional>
#include <sstream>

namespace cllama::chat {

namespace {

common_chat_params analysed(const compiled_template & target, const autoparser::generation_params & parameters,
                            const autoparser::autoparser & analysis) {
    auto result = autoparser::peg_generator::generate_parser(target.llama(), parameters, analysis);
    result.supports_thinking = analysis.reasoning.mode != autoparser::reasoning_mode::NONE;
    if (result.supports_thinking) {
        result.thinking_start_tag = trimmed(analysis.reasoning.start);
        const std::string end = trimmed(analysis.reasoning.end);
        if (!end.empty()) {
            result.thinking_end_tags = {end};
        }
    }
    return result;
}

common_chat_params plain(const compiled_template & target, const autoparser::generation_params & parameters) {
    common_chat_params result;
    result.prompt = common_chat_template_direct_apply(target.llama(), parameters);
    try {
        result.generation_prompt = common_chat_template_generation_prompt(target.llama(), parameters);
    } catch (const std::exception &) {
        // Some templates refuse to end without a generation prompt; the prompt is good nevertheless.
    }
    return result;
}

const char * name_of(common_grammar_trigger_type type) {
    switch (type) {
        case COMMON_GRAMMAR_TRIGGER_TYPE_TOKEN: return "token";
        case COMMON_GRAMMAR_TRIGGER_TYPE_WORD: return "word";
        case COMMON_GRAMMAR_TRIGGER_TYPE_PATTERN: return "pattern";
        case COMMON_GRAMMAR_TRIGGER_TYPE_PATTERN_FULL: return "pattern-full";
    }
    return "word";
}

common_json list_of(const std::vector<std::string> & texts) {
    common_json result = common_json::array();
    for (const auto & text : texts) {
        result.push_back(text);
    }
    return result;
}

/// The format from what llama.cpp knows of the family, else from what it found out; nothing when that fails.
std::optional<common_chat_params> informed(const compiled_template & target,
                                           const autoparser::generation_params & parameters, time_point deadline) {
    try {
        auto adjusted = parameters;
        if (auto special = common_chat_try_specialized_template(target.llama(), target.source(), adjusted)) {
            return special;
        }
        if (const auto * analysis = target.analysis(deadline)) {
            return analysed(target, parameters, *analysis);
        }
    } catch (const failure &) {
        throw;
    } catch (const std::exception &) {
        if (budget::current().is_exhausted()) {
            throw;
        }
    }
    return std::nullopt;
}

/// The format for `tools`, which differ from the request's only in what a grammar can express, and the prompt for the
/// request.
std::optional<common_chat_params> informed(const compiled_template & target,
                                           const autoparser::generation_params & parameters, const common_json & tools,
                                           time_point deadline) {
    auto changed = parameters;
    changed.tools = tools;
    auto result = informed(target, changed, deadline);
    if (!result || tools.dump_safe() == parameters.tools.dump_safe()) {
        return result;
    }
    auto for_prompt = parameters;
    for_prompt.tool_choice = COMMON_CHAT_TOOL_CHOICE_NONE;
    const auto asked = informed(target, for_prompt, deadline);
    if (!asked) {
        return std::nullopt;
    }
    result->prompt = asked->prompt;
    return result;
}

std::optional<common_chat_params> informed_of_tools(const compiled_template & target,
                                                    const autoparser::generation_params & parameters,
                                                    time_point deadline) {
    const common_json tools = with_expressible_patterns(parameters.tools);
    if (auto result = informed(target, parameters, tools, deadline)) {
        return result;
    }
    return informed(target, parameters, with_expressible_schemas(tools), deadline);
}

/// The name of an enumerator, as llama.cpp prints it.
template <class Enumeration>
std::string printed(Enumeration value) {
    std::ostringstream stream;
    stream << value;
    return stream.str();
}

common_json markers_of(const autoparser::analyze_tools & tools) {
    const auto & format = tools.format;
    common_json result = common_json::object();
    result["format"] = common_json::object({{"mode", printed(format.mode)},
                                            {"section_start", format.section_start},
                                            {"section_end", format.section_end},
                                            {"per_call_start", format.per_call_start},
                                            {"per_call_end", format.per_call_end},
                                            {"fun_name_is_key", format.fun_name_is_key},
                                            {"tools_array_wrapped", format.tools_array_wrapped},
                                            {"function_field", format.function_field},
                                            {"name_field", format.name_field},
                                            {"args_field", format.args_field},
                                            {"id_field", format.id_field},
                                            {"gen_id_field", format.gen_id_field}});
    result["function"] = common_json::object({{"name_prefix", tools.function.name_prefix},
                                              {"name_suffix", tools.function.name_suffix},
                                              {"args_separator", tools.function.args_separator},
                                              {"close", tools.function.close}});
    result["arguments"] = common_json::object({{"start", tools.arguments.start},
                                               {"end", tools.arguments.end},
                                               {"name_prefix", tools.arguments.name_prefix},
                                               {"name_suffix", tools.arguments.name_suffix},
                                               {"value_prefix", tools.arguments.value_prefix},
                                               {"value_suffix", tools.arguments.value_suffix},
                                               {"separator", tools.arguments.separator}});
    result["call_id"] = common_json::object({{"pos", printed(tools.call_id.pos)},
                                             {"prefix", tools.call_id.prefix},
                                             {"suffix", tools.call_id.suffix}});
    return result;
}

}  // namespace

common_chat_params applied(const compiled_template & target, const autoparser::generation_params & parameters,
                           time_point deadline) {
    const auto result = parameters.tools.is_array() ? informed_of_tools(target, parameters, deadline)
                                                    : informed(target, parameters, deadline);
    return result ? *result : plain(target, parameters);
}

std::string details_of(const common_chat_params & parameters, const autoparser::autoparser * analysis) {
    common_json triggers = common_json::array();
    for (const auto & trigger : parameters.grammar_triggers) {
        triggers.push_back(common_json::object({{"type", name_of(trigger.type)}, {"value", trigger.value}}));
    }
    common_json details = common_json::object();
    details["format"] = common_chat_format_name(parameters.format);
    details["thinking_start"] = parameters.thinking_start_tag;
    details["thinking_ends"] = list_of(parameters.thinking_end_tags);
    details["generation_prompt"] = parameters.generation_prompt;
    details["grammar"] = parameters.grammar;
    details["grammar_lazy"] = parameters.grammar_lazy;
    details["triggers"] = triggers;
    details["preserved_tokens"] = list_of(parameters.preserved_tokens);
    details["stops"] = list_of(parameters.additional_stops);
    details["parser"] = parameters.parser;
    if (analysis != nullptr && analysis->tools.format.mode != autoparser::tool_format::NONE) {
        details["tool_markers"] = markers_of(analysis->tools);
    }
    return details.dump_safe();
}

}  // namespace cllama::chat
