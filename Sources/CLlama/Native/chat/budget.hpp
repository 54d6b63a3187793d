#pragma once

#include "limits.hpp"
#include "llama_jinja.hpp"


#include <chrono>
#include <memory>
#include <string>
#include <vector>

namespace cllama::chat {

using time_point = std::chrono::steady_clock::time_point;

/// When an operation that starts now must have ended.
time_point operation_deadline();

/// What one operation on a template may use.
struct allowance {
    std::chrono::milliseconds processor_time;
    time_point deadline;
    size_t output_bytes;
    size_t work_bytes;
};

/// Ends a template that used up its budget. llama.cpp passes this class through its own error wrapping unchanged.
struct limit_reached : jinja::rethrown_exception {
    using rethrown_exception::rethrown_exception;
};

/// The text that one execution of the template printed.
struct printed_text {
    std::string text;
    std::vector<jinja::string_part> parts;
};

/// Counts what the template of this thread uses, and ends it when that is too much.
///
/// llama.cpp swallows exceptions in its test renders, so a budget stays used up: everything after fails at once.
class budget {
  public:
    explicit budget(const allowance & allowed);
    ~budget();
    budget(const budget &) = delete;
    budget & operator=(const budget &) = delete;

    /// The budget in force on this thread; templates cannot run without one.
    static budget & current();

    /// Counts one step and looks at the clock now and then.
    void step();

    /// Counts memory of a new value.
    void charge(size_t bytes);

    /// Counts a value that an operation made, unless somebody else holds it too.
    void charge_new(const jinja::value & made);

    void require_text(double bytes);
    void require_list(double elements);
    /// `bytes` is what an operation with more than linear cost is about to touch.
    void require_effort(double bytes);

    [[noreturn]] void exhaust(const std::string & reason);
    bool is_exhausted() const { return !reason_.empty(); }
    /// Whether the deadline passed, which may be the fault of a busy machine.
    bool is_late() const { return is_late_; }
    const std::string & reason() const { return reason_; }

    /// Remembers an object or list that the template changes, for `cut_cycles`.
    void note_changed(const jinja::value & changed);
    std::vector<std::weak_ptr<jinja::value_t>> take_changed();

    /// Whether `printed` is filled.
    bool keeps_printed = false;
    /// The texts printed so far, oldest first.
    std::vector<printed_text> printed;

  private:
    friend class execution;

    void look_at_clocks();
    void count_container();

    const allowance allowed_;
    const std::chrono::nanoseconds last_processor_time_;
    budget * const outer_;
    unsigned until_clock_ = 0;
    bool is_late_ = false;
    size_t depth_ = 0;
    size_t work_bytes_ = 0;
    size_t containers_ = 0;
    std::string reason_;
    std::vector<std::weak_ptr<jinja::value_t>> changed_;
};

/// One node being executed: a step, and a level of depth while it lives.
class execution {
  public:
    execution();
    ~execution() { --budget_.depth_; }
    execution(const execution &) = delete;
    execution & operator=(const execution &) = delete;

    budget & spending() { return budget_; }

  private:
    budget & budget_;
};

}  // namespace cllama::chat
