#pragma once

#include "cl_runtime.h"

#include <string>

namespace cllama {

/// Takes over the log callback of llama.cpp and ggml, so that nothing of theirs is printed.
void install_log_handler();

/// Hands one line to the handler of `cl_log_set_handler`.
void log_line(cl_log_level level, const char * message) noexcept;

/// Set while this thread loads a model or creates a context: work that sees no prompt.
///
/// Debug lines pass only inside such a scope, because elsewhere they quote text and tokens. The scope also keeps the
/// first error line of the thread, which is the only place where llama.cpp says why a load failed.
class log_scope {
  public:
    log_scope() noexcept;
    ~log_scope();
    log_scope(const log_scope &) = delete;
    log_scope & operator=(const log_scope &) = delete;

    /// The first error line without llama.cpp's function names, or `fallback`.
    std::string reason(const char * fallback) const;

    void note_error(const std::string & line);

  private:
    log_scope * outer;
    std::string first_error_line;
};

}  // namespace cllama
