#ifndef CL_RUNTIME_H
#define CL_RUNTIME_H

#include "cl_base.h"

CL_BEGIN_DECLS

/// Whether llama.cpp is linked in. False: every other call returns `CL_RUNTIME_UNAVAILABLE`.
bool cl_runtime_is_available(void) CL_NOEXCEPT;

/// llama.cpp's version, for instance "0.5.0-dev"; empty without a runtime.
const char *CL_NONNULL cl_runtime_version(void) CL_NOEXCEPT;

/// The full commit of the llama.cpp source; empty without a runtime.
const char *CL_NONNULL cl_runtime_commit(void) CL_NOEXCEPT;

/// ggml's version as the linked library itself reports it; empty without a runtime.
const char *CL_NONNULL cl_runtime_ggml_version(void) CL_NOEXCEPT;

/// CPU features and backends as llama.cpp lists them; empty without a runtime.
const char *CL_NONNULL cl_runtime_system_info(void) CL_NOEXCEPT;

/// Severity of a log line.
typedef enum cl_log_level {
    CL_LOG_DEBUG = 1,
    CL_LOG_INFO = 2,
    CL_LOG_WARNING = 3,
    CL_LOG_ERROR = 4,
} cl_log_level;

/// Receives one complete log line without its line break. Called from any thread.
typedef void (*cl_log_handler)(cl_log_level level, const char *CL_NONNULL message, void *CL_NULLABLE context);

/// Sends log lines of at least `minimum` to `handler`; NULL drops all of them.
///
/// Lines of llama.cpp never reach stdout or stderr, with or without a handler. `context` must stay valid
/// until another handler is set.
void cl_log_set_handler(cl_log_handler CL_NULLABLE handler, void *CL_NULLABLE context, cl_log_level minimum)
    CL_NOEXCEPT;

CL_END_DECLS

#endif
