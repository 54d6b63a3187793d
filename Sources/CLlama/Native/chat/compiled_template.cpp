#include "compiled_template.hpp"

#include "../guard.hpp"
#include "source.hpp"
#include "text.hpp"

namespace cllama::chat {

namespace {

/// The text after the first `marker`, or "".
std::string after(const std::string & text, const std::string & marker) {
    const size_t at = text.find(marker);
    return at == std::string::npos ? std::string() : text.substr(at + marker.size());
}

/// "line 3, column 14" as llama.cpp reports it, or "".
std::string position_in(const std::string & report) {
    const size_t start = report.find("line ");
    const size_t end = report.find(" in source:");
    return start == std::string::npos || end == std::string::npos || end < start ? std::string()
                                                                                  : report.substr(start, end - start);
}

std::string shortened(const std::string & text) {
    constexpr size_t longest = 2000;
    return valid_utf8(text.substr(0, longest));
}

[[noreturn]] void throw_syntax_failure(const std::exception & error) {
    std::string reason = error.what();
    for (const char * prefix : {"lexer: ", "parser: ", "Parser Error: "}) {
        reason = reason.rfind(prefix, 0) == 0 ? reason.substr(std::char_traits<char>::length(prefix)) : reason;
    }
    if (dynamic_cast<const std::out_of_range *>(&error) != nullptr) {
        reason = "a number is out of range";
    }
    throw failure(CL_TEMPLATE_FAILED, "The chat template is not valid Jinja: " +
                                          shortened(reason.substr(0, reason.find('\n'))));
}

jinja::program parsed_or_refused(const std::string & source) {
    try {
        return parsed(source);
    } catch (const failure &) {
        throw;
    } catch (const std::bad_alloc &) {
        throw;
    } catch (const std::exception & error) {
        throw_syntax_failure(error);
    }
}

}  // namespace

void throw_template_failure(const std::exception & error) {
    const std::string report = error.what();
    // The report quotes the template up to a caret, and the reason comes after that.
    const std::string quoted_reason = after(report, "^\nError: ");
    const std::string reason = quoted_reason.empty() ? report : quoted_reason;
    const std::string raised = after(reason, "Jinja Exception: ");
    if (!raised.empty()) {
        throw failure(CL_TEMPLATE_FAILED, "The chat template refuses the conversation: " + shortened(raised));
    }
    const std::string position = position_in(report);
    const std::string place = position.empty() ? "" : " at " + position;
    throw failure(CL_TEMPLATE_FAILED, "The chat template failed" + place + ": " + shortened(reason));
}

compiled_template::compiled_template(const std::string & source, const std::string & bos_text,
                                     const std::string & eos_text, time_point deadline)
    : template_("", bos_text, eos_text) {
    // llama.cpp's constructor would run the template without a budget, so it gets an empty one.
    template_.prog = parsed_or_refused(source);
    template_.src = source;
    budget spending({COMPILE_TIME, deadline, MAX_ANALYSIS_OUTPUT_BYTES, MAX_WORK_BYTES});
    try {
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

void compiled_template::explore(time_point deadline) const {
    budget spending({ANALYSIS_TIME, deadline, MAX_ANALYSIS_OUTPUT_BYTES, MAX_WORK_BYTES});
    try {
        autoparser::autoparser exploring;
        exploring.analyze_template(template_);
        if (!spending.is_exhausted()) {
            analysis_ = std::move(exploring);
        }
    } catch (const std::exception &) {
        // The conversation can be rendered all the same.
    }
    if (spending.is_late()) {
        throw failure(CL_LIMIT_EXCEEDED, spending.reason());
    }
    is_explored_ = true;
}

const autoparser::autoparser * compiled_template::analysis(time_point deadline) const {
    const std::lock_guard<std::mutex> lock(exploring_);
    if (!is_explored_) {
        explore(deadline);
    }
    return analysis_ ? &*analysis_ : nullptr;
}

}  // namespace cllama::chat
