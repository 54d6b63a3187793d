#pragma once

#include "budget.hpp"
#include "llama_chat.hpp"

#include <mutex>
#include <optional>
#include <string>

namespace cllama::chat {

/// A Jinja template that llama.cpp's functions can be used on without risk. Immutable for its users.
///
/// All of this runs template code and recurses deeply: use, make and destroy it on a worker.
class compiled_template {
  public:
    /// Throws `failure` when the template cannot be parsed or uses up its budget in the test renders.
    compiled_template(const std::string & source, const std::string & bos_text, const std::string & eos_text,
                      time_point deadline);

    /// Every rendering of it needs a `budget` on the thread.
    const common_chat_template & llama() const { return template_; }
    const std::string & source() const { return template_.src; }
    const jinja::caps & capabilities() const { return template_.caps; }

    /// What llama.cpp finds out by comparing renderings, or NULL when the template defies that. Explores the
    /// template on first use, in a budget of its own. Throws `failure` when only the deadline stood against it.
    const autoparser::autoparser * analysis(time_point deadline) const;

  private:
    common_chat_template template_;
    mutable std::mutex exploring_;
    mutable bool is_explored_ = false;
    mutable std::optional<autoparser::autoparser> analysis_;

    void explore(time_point deadline) const;
};

/// The failure for an exception that a rendering ended with. Takes the template's own words out of llama.cpp's
/// multi-line report.
[[noreturn]] void throw_template_failure(const std::exception & error);

}  // namespace cllama::chat
