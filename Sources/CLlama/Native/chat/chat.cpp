#include "cl_chat.h"

#include "../guard.hpp"
#include "adaptation.hpp"
#include "budget.hpp"
#include "compiled_template.hpp"
#include "legacy.hpp"
#include "reply_format.hpp"
#include "segments.hpp"
#include "source.hpp"
#include "worker.hpp"

#include <memory>
#include <string>
#include <vector>

namespace cllama::chat {

namespace {

/// What is kept of `cl_chat_params`.
struct sources {
    std::string text;
    std::string tool_text;
    std::string bos_text;
    std::string eos_text;
    bool adds_bos = false;
    bool adds_eos = false;
};

/// One of `main` and `legacy_source` is set.
struct compiled {
    sources given;
    std::unique_ptr<compiled_template> main;
    std::unique_ptr<compiled_template> for_tools;
    std::string legacy_source;
};

struct rendered {
    std::string prompt;
    std::vector<cl_segment> segments;
    std::string details;
};

std::string copied(const char * text, size_t length) {
    return text == nullptr ? std::string() : std::string(text, length);
}

[[noreturn]] void refuse_go() {
    throw failure(CL_TEMPLATE_FAILED,
                  "The chat template is a Go template, as Ollama uses them. llama.cpp needs a Jinja template.");
}

std::unique_ptr<compiled_template> compile_jinja(const sources & given, const std::string & source,
                                                 time_point deadline) {
    return std::make_unique<compiled_template>(source, given.bos_text, given.eos_text, deadline);
}

/// Text that is not Jinja may still be of a form that the older API recognises.
void compile_main(compiled & target, time_point deadline) {
    const std::string source = normalised_source(target.given.text);
    switch (dialect_of(source)) {
        case dialect::go:
            refuse_go();
        case dialect::jinja:
            try {
                target.main = compile_jinja(target.given, source, deadline);
            } catch (const failure & error) {
                if (error.status == CL_TEMPLATE_FAILED && has_go_actions(source)) {
                    refuse_go();
                }
                if (error.status != CL_TEMPLATE_FAILED || !legacy_knows(source)) {
                    throw;
                }
                target.legacy_source = source;
            }
            return;
        case dialect::legacy:
            if (!legacy_knows(source)) {
                throw failure(CL_TEMPLATE_FAILED,
                              "The chat template is neither Jinja nor a name that llama.cpp knows.");
            }
            target.legacy_source = source;
    }
}

std::shared_ptr<const compiled> compile(const sources & given, time_point deadline) {
    auto result = std::make_shared<compiled>();
    result->given = given;
    compile_main(*result, deadline);
    if (!given.tool_text.empty()) {
        result->for_tools = compile_jinja(given, normalised_source(given.tool_text), deadline);
    }
    return result;
}

void keep(rendered & result, marked_text text, const sources & given) {
    if (given.adds_bos) {
        drop_leading(text, given.bos_text);
    }
    if (given.adds_eos) {
        drop_trailing(text, given.eos_text);
    }
    for (const auto & part : text) {
        result.prompt += part.val;
        result.segments.push_back({part.val.size(), part.is_input});
    }
}

common_chat_params apply_within_budget(const compiled_template & target, const request & asked, budget & spending,
                                       time_point deadline) {
    try {
        return applied(target, adapted(asked, target), deadline);
    } catch (const failure &) {
        throw;
    } catch (const std::bad_alloc &) {
        throw;
    } catch (const std::exception & error) {
        if (spending.is_exhausted()) {
            throw failure(CL_LIMIT_EXCEEDED, spending.reason());
        }
        throw_template_failure(error);
    }
}

/// What was found out about the template, unless that fails.
const autoparser::autoparser * analysis_if_any(const compiled_template & target, time_point deadline) {
    try {
        return target.analysis(deadline);
    } catch (const std::exception &) {
        return nullptr;
    }
}

rendered render_jinja(const compiled_template & target, const request & asked, const sources & given,
                      time_point deadline) {
    budget spending({RENDER_TIME, deadline, MAX_OUTPUT_BYTES + OUTPUT_PER_REQUEST_BYTE * asked.size_bytes,
                     MAX_WORK_BYTES + WORK_PER_REQUEST_BYTE * asked.size_bytes});
    spending.keeps_printed = true;
    const common_chat_params parameters = apply_within_budget(target, asked, spending, deadline);
    rendered result;
    keep(result, marked_prompt(parameters.prompt, spending.printed), given);
    result.details = details_of(parameters, asked.tools.is_array() ? analysis_if_any(target, deadline) : nullptr);
    return result;
}

rendered render(const compiled & chat, const std::string & text, time_point deadline) {
    const request asked = parse_request(text);
    if (chat.for_tools && asked.tools.is_array()) {
        return render_jinja(*chat.for_tools, asked, chat.given, deadline);
    }
    if (chat.main) {
        return render_jinja(*chat.main, asked, chat.given, deadline);
    }
    rendered result;
    keep(result, legacy_prompt(chat.legacy_source, asked), chat.given);
    result.details = details_of(common_chat_params(), nullptr);
    return result;
}

}  // namespace

}  // namespace cllama::chat

using namespace cllama;

struct cl_chat {
    std::shared_ptr<const chat::compiled> compiled;
};

struct cl_chat_rendering {
    chat::rendered rendered;
};

cl_status cl_chat_create(const cl_chat_params * params, cl_chat ** out_chat) noexcept {
    return guarded([&] {
        require(params != nullptr && params->source != nullptr && out_chat != nullptr, CL_INVALID_ARGUMENT,
                "cl_chat_create needs parameters with a source, and a place for the result");
        const chat::sources given = {
            chat::copied(params->source, params->source_length),
            chat::copied(params->tool_source, params->tool_source_length),
            params->bos_text == nullptr ? "" : params->bos_text,
            params->eos_text == nullptr ? "" : params->eos_text,
            params->adds_bos,
            params->adds_eos,
        };
        auto result = std::make_unique<cl_chat>();
        result->compiled = chat::on_worker<std::shared_ptr<const chat::compiled>>(
            [given, deadline = chat::operation_deadline()] { return compile(given, deadline); });
        *out_chat = result.release();
    });
}

void cl_chat_free(cl_chat * chat) noexcept {
    if (chat == nullptr) {
        return;
    }
    guarded([&] {
        // A deep syntax tree is freed recursively.
        chat::run_on_worker([tree = std::move(chat->compiled)]() mutable { tree.reset(); });
    });
    delete chat;
}

const char * cl_chat_formatter(const cl_chat * chat) noexcept {
    return chat->compiled->main ? "llama-jinja" : "legacy-c-api";
}

bool cl_chat_knows_tools(const cl_chat * chat) noexcept {
    const chat::compiled & compiled = *chat->compiled;
    return compiled.for_tools || (compiled.main && chat::knows_tools(*compiled.main));
}

cl_status cl_chat_render(const cl_chat * chat, const char * request, size_t request_length,
                         cl_chat_rendering ** out_rendering) noexcept {
    return guarded([&] {
        require(chat != nullptr && request != nullptr && out_rendering != nullptr, CL_INVALID_ARGUMENT,
                "cl_chat_render needs a chat, a request and a place for the result");
        auto result = std::make_unique<cl_chat_rendering>();
        const std::string text(request, request_length);
        result->rendered = chat::on_worker<chat::rendered>(
            [compiled = chat->compiled, text, deadline = chat::operation_deadline()] {
                return chat::render(*compiled, text, deadline);
            });
        *out_rendering = result.release();
    });
}

void cl_chat_rendering_free(cl_chat_rendering * rendering) noexcept {
    delete rendering;
}

const char * cl_chat_rendering_prompt(const cl_chat_rendering * rendering, size_t * out_length) noexcept {
    *out_length = rendering->rendered.prompt.size();
    return rendering->rendered.prompt.c_str();
}

const cl_segment * cl_chat_rendering_segments(const cl_chat_rendering * rendering, size_t * out_count) noexcept {
    *out_count = rendering->rendered.segments.size();
    return rendering->rendered.segments.data();
}

const char * cl_chat_rendering_details(const cl_chat_rendering * rendering) noexcept {
    return rendering->rendered.details.c_str();
}
