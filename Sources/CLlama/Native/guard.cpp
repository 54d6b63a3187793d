#include "guard.hpp"

#include "log.hpp"

#include "common/log.h"
#include "ggml.h"
#include "llama.h"

#include <climits>
#include <cstring>
#include <mutex>

namespace cllama {

namespace {

constexpr size_t maximum_error_length = 1000;

thread_local std::string last_error;
thread_local int guard_depth = 0;
thread_local unsigned long abort_count = 0;
thread_local std::string last_abort;

/// "/where/it/was/built/ggml.c:12: reason" without the folder.
const char * without_folder(const char * message) {
    const char * name = message;
    for (const char * c = message; *c != '\0' && *c != ':'; ++c) {
        name = *c == '/' ? c + 1 : name;
    }
    return name;
}

/// ggml's answer to a failed assertion is to end the process. Inside a guard of this thread the assertion becomes an
/// exception instead; what it interrupted may leak and must not be used again. On a thread that ggml started itself
/// nothing can catch the exception, so there the process still ends.
void on_abort(const char * message) {
    std::string text = std::string("llama.cpp gave up: ") + without_folder(message);
    text.erase(text.find_last_not_of(" \n") + 1);
    log_line(CL_LOG_ERROR, text.c_str());
    if (guard_depth > 0) {
        ++abort_count;
        last_abort = text;
        throw std::runtime_error(text);
    }
}

void start() {
    install_log_handler();
    // `common` prints through a logger and a thread of its own, which this keeps from ever being made.
    common_log_set_verbosity_thold(INT_MIN);
    ggml_set_abort_callback(on_abort);
    llama_backend_init();
}

}  // namespace

void set_last_error(const char * reason) noexcept {
    try {
        // Reasons may quote a file, whose texts can be of any length.
        last_error.assign(reason, strnlen(reason, maximum_error_length));
    } catch (...) {
        last_error.clear();
    }
}

void ensure_runtime() {
    static std::once_flag started;
    std::call_once(started, start);
}

guard_scope::guard_scope() noexcept {
    ++guard_depth;
}

guard_scope::~guard_scope() {
    --guard_depth;
}

unsigned long aborts_on_this_thread() noexcept {
    return abort_count;
}

const std::string & last_abort_on_this_thread() noexcept {
    return last_abort;
}

}  // namespace cllama

const char * cl_last_error(void) noexcept {
    return cllama::last_error.c_str();
}
