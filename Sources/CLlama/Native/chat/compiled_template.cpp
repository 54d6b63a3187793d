#include "compiled_template.hpp"

#include "../guard.hpp"
#include "budget.hpp"
#include "source.hpp"

namespace cllama::chat {

namespace {

std::string after(const std::string & text, const std::string & marker) {
    const size_t at = text.rfind(marker);
    return at == std::string::npos ? std::string() : text.substr(at + marker.size());
}

std::string first_line(const std::string & text) {
    const size_t start = text.find_first_not_of("\n-");
    return start == std::string::npos ? std::string() : text.substr(start, text.find('\n', start) - start);
}

/// "line 3, column 14" as llama.cpp reports it, or "".
std::string position_in(const std::string & report) {
    const size_t start = report.find("line ");
    const size_t end = report.find(" in source:");
    return start == std::string::npos || end == std::string::npos || end < start ? std::string()
                                                                                  : report.substr(start, end - start);
}

constexpr size_t LONGEST_MESSAGE = 2000;

}  // namespace

void throw_template_failure(const std::exception & error) {
    const std::string report = error.what();
    const std::string raised = after(report, "Jinja Exception: ");
    if (!raised.empty()) {
        throw failure(CL_TEMPLATE_FAILED, "The chat template refuses the conversation: " +
                                              raised.substr(0, LONGEST_MESSAGE));
    }
    const std::string reason = after(report, "Error: ");
    const std::string position = position_in(report);
    const std::string place = position.empty() ? "" : " at " + position;
    throw failure(CL_TEMPLATE_FAILED, "The chat template failed" + place + ": " +
                                          (reason.empty() ? first_line(report) : reason).substr(0, LONGEST_MESSAGE));
}

compiled_template::compiled_template(const std::string & source, const std::string & bos_text,
                                     const std::string & eos_text)
    : template_("", bos_text, eos_text) {
    // llama.cpp's constructor would run the template without a budget, so it gets an empty one.
    budget spending({COMPILE_TIME, MAX_ANALYSIS_OUTPUT_BYTES, MAX_WORK_BYTES});
    try {
        template_.prog = parsed(source);
        template_.src = source;
        template_.caps = jinja::caps_get(template_.prog);
    } catch (const failure &) {
        throw;
    } catch (const std::exception & error) {
        if (!spending.is_exhausted()) {
            throw_template_failure(error);
        }
    }
    if (spending.is_exhausted()) {
        throw failure(CL_LIMIT_EXCEEDED, spending.reason());
    }
}

const autoparser::autoparser * compiled_template::analysis() const {
    std::call_once(explored_, [this] {
        budget spending({ANALYSIS_TIME, MAX_ANALYSIS_OUTPUT_BYTES, MAX_WORK_BYTES});
        try {
            autoparser::autoparser exploring;
            exploring.analyze_template(template_);
            if (!spending.is_exhausted()) {
                analysis_ = std::move(exploring);
            }
        } catch (const std::exception &) {
            // The conversation can be rendered all the same.
        }
    });
    return analysis_ ? &*analysis_ : nullptr;
}

}  // namespace cllama::chat
