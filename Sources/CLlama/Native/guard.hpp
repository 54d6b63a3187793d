#pragma once

#include "cl_status.h"

#include <new>
#include <stdexcept>
#include <string>
#include <utility>

namespace cllama {

/// A failure with a status of its own; `guarded` turns it into that status and the last error text.
struct failure : std::runtime_error {
    cl_status status;

    failure(cl_status status, const std::string & reason) : std::runtime_error(reason), status(status) {}
};

/// Keeps `reason` for `cl_last_error` on this thread. Never throws: without memory the text is lost.
void set_last_error(const char * reason) noexcept;

inline void set_last_error(const std::string & reason) noexcept {
    set_last_error(reason.c_str());
}

/// Starts llama.cpp's backends and takes over its logs and its abort handler, once per process.
void ensure_runtime();

/// Marks the current thread as inside `guarded`, so that an abort of ggml can be answered by an exception.
class guard_scope {
  public:
    guard_scope() noexcept;
    ~guard_scope();
    guard_scope(const guard_scope &) = delete;
    guard_scope & operator=(const guard_scope &) = delete;
};

/// How often ggml tried to abort inside a guard of this thread. llama.cpp may swallow the exception that stands for
/// the abort, so whoever owns state that it may have broken compares this before and after a call.
unsigned long aborts_on_this_thread() noexcept;

/// What ggml said when it tried that last; empty before.
const std::string & last_abort_on_this_thread() noexcept;

/// Reports a failure that was caught.
inline cl_status report(cl_status status, const char * reason) noexcept {
    set_last_error(reason);
    return status;
}

/// The one boundary that C++ exceptions cannot cross: runs `body` and turns whatever it throws into a status.
///
/// `body` takes no arguments and returns nothing; it fails by throwing. An exception without a status of its own
/// becomes `otherwise`.
template <class Body>
cl_status guarded(Body && body, cl_status otherwise = CL_INTERNAL) noexcept {
    set_last_error("");
    try {
        ensure_runtime();
        guard_scope scope;
        std::forward<Body>(body)();
        return CL_OK;
    } catch (const failure & error) {
        return report(error.status, error.what());
    } catch (const std::bad_alloc &) {
        return report(CL_OUT_OF_MEMORY, "out of memory");
    } catch (const std::invalid_argument & error) {
        return report(otherwise == CL_INTERNAL ? CL_INVALID_ARGUMENT : otherwise, error.what());
    } catch (const std::exception & error) {
        return report(otherwise, error.what());
    } catch (...) {
        return report(otherwise, "unknown C++ exception");
    }
}

/// The value of `body`, or `fallback` when it throws. For queries that cannot report a status.
template <class Value, class Body>
Value guarded_value(Value fallback, Body && body) noexcept {
    Value value = fallback;
    const cl_status status = guarded([&] { value = std::forward<Body>(body)(); });
    return status == CL_OK ? value : fallback;
}

/// Throws `failure(status, reason)` unless `condition` holds.
inline void require(bool condition, cl_status status, const char * reason) {
    if (!condition) {
        throw failure(status, reason);
    }
}

}  // namespace cllama
