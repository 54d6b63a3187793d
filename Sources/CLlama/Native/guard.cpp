#include "guard.hpp"

#include "log.hpp"

#include "common/log.h"
#include "ggml.h"
#include "llama.h"

#include <climits>
#include <mutex>

namespace cllama {

namespace {

thread_local std::string last_error;
thread_local int guard_depth = 0;
thread_local unsigned long abort_count = 0;

/// ggml's answer to a failed assertion is to end the process. Inside a guard of this thread the assertion becomes an
/// exception instead; what it interrupted may leak and must not be used again. On a thread that ggml started itself
/// nothing can catch the exception, so there the process still ends.
void on_abort(const char * message) {
    log_line(CL_LOG_ERROR, message);
    if (guard_depth > 0) {
        ++abort_count;
        throw failure(CL_INTERNAL, std::string("llama.cpp gave up: ") + message);
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
        last_error.assign(reason);
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

}  // namespace cllama

const char * cl_last_error(void) noexcept {
    return cllama::last_error.c_str();
}
