#pragma once

#include "ggml.h"

#include <atomic>
#include <cstdint>

namespace cllama {

/// What makes a computation stop before its end: somebody's wish, or a deadline.
class abort_signal {
public:
    /// From any thread.
    void request() noexcept { is_requested_.store(true, std::memory_order_relaxed); }

    void clear() noexcept { is_requested_.store(false, std::memory_order_relaxed); }

    bool is_requested() const noexcept { return is_requested_.load(std::memory_order_relaxed); }

    /// Computations end so many seconds from now; 0 for no such end.
    void set_deadline(double seconds) noexcept {
        missed_ = false;
        deadline_ = seconds > 0 ? ggml_time_us() + static_cast<int64_t>(seconds * 1e6) : 0;
    }

    /// Whether a computation was stopped at the deadline that was set last.
    bool missed_deadline() const noexcept { return missed_; }

    /// llama.cpp's callback: asked before each operation, by the thread that computes.
    static bool wants_abort(void * data) {
        auto & signal = *static_cast<abort_signal *>(data);
        if (signal.is_requested()) {
            return true;
        }
        if (signal.deadline_ == 0 || ggml_time_us() < signal.deadline_) {
            return false;
        }
        signal.missed_ = true;
        return true;
    }

private:
    std::atomic<bool> is_requested_{false};
    // Only the thread that computes uses these.
    int64_t deadline_ = 0;
    bool missed_ = false;
};

}  // namespace cllama
