#include "log.hpp"

#include "llama.h"

#include <atomic>
#include <mutex>

namespace cllama {

namespace {

thread_local log_scope * current_scope = nullptr;

struct handler_slot {
    // Recursive: a handler may call this library, which may log again on the same thread.
    std::recursive_mutex mutex;
    cl_log_handler handler = nullptr;
    void * context = nullptr;
    std::atomic<int> minimum{CL_LOG_ERROR + 1};
};

/// Never destroyed: threads may still log while the process exits.
handler_slot & slot() {
    static handler_slot * const instance = new handler_slot;
    return *instance;
}

/// The start of a line that was not finished yet; llama.cpp sends lines in pieces.
struct pending_line {
    std::string text;
    ggml_log_level level = GGML_LOG_LEVEL_INFO;
};

thread_local pending_line pending;

cl_log_level translate(ggml_log_level level) {
    switch (level) {
        case GGML_LOG_LEVEL_DEBUG: return CL_LOG_DEBUG;
        case GGML_LOG_LEVEL_WARN: return CL_LOG_WARNING;
        case GGML_LOG_LEVEL_ERROR: return CL_LOG_ERROR;
        default: return CL_LOG_INFO;
    }
}

void finish_line() {
    std::string line;
    line.swap(pending.text);
    if (line.empty()) {
        return;
    }
    const cl_log_level level = translate(pending.level);
    if (level == CL_LOG_ERROR && current_scope) {
        current_scope->note_error(line);
    }
    if (level == CL_LOG_DEBUG && !current_scope) {
        return;
    }
    log_line(level, line.c_str());
}

void receive(ggml_log_level level, const char * text, void *) {
    // Called from C code, which no exception may cross; without memory the line is lost.
    try {
        if (level != GGML_LOG_LEVEL_CONT) {
            finish_line();
            pending.level = level;
        }
        for (const char * c = text; *c != '\0'; ++c) {
            if (*c == '\n') {
                finish_line();
            } else {
                pending.text += *c;
            }
        }
    } catch (...) {
        pending.text.clear();
    }
}

}  // namespace

void install_log_handler() {
    slot();
    llama_log_set(receive, nullptr);
}

void log_line(cl_log_level level, const char * message) noexcept {
    handler_slot & target = slot();
    if (level < target.minimum.load(std::memory_order_relaxed)) {
        return;
    }
    std::lock_guard<std::recursive_mutex> lock(target.mutex);
    if (target.handler && level >= target.minimum.load(std::memory_order_relaxed)) {
        target.handler(level, message, target.context);
    }
}

log_scope::log_scope() noexcept : outer(current_scope) {
    current_scope = this;
}

log_scope::~log_scope() {
    current_scope = outer;
}

void log_scope::note_error(const std::string & line) {
    // The first line is the cause, what follows are callers giving up.
    if (first_error_line.empty()) {
        first_error_line = line;
    }
    if (outer) {
        outer->note_error(line);
    }
}

std::string log_scope::reason(const char * fallback) const {
    if (first_error_line.empty()) {
        return fallback;
    }
    // "llama_model_load: error loading model: …": the function's name says nothing to a user.
    const size_t colon = first_error_line.find(": ");
    const bool starts_with_name = colon != std::string::npos && first_error_line.find(' ') == colon + 1;
    return starts_with_name ? first_error_line.substr(colon + 2) : first_error_line;
}

}  // namespace cllama

void cl_log_set_handler(cl_log_handler handler, void * context, cl_log_level minimum) noexcept {
    cllama::handler_slot & target = cllama::slot();
    std::lock_guard<std::recursive_mutex> lock(target.mutex);
    target.handler = handler;
    target.context = context;
    target.minimum.store(handler ? minimum : CL_LOG_ERROR + 1, std::memory_order_relaxed);
}
