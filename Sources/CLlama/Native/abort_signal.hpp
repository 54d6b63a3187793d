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

    /// Batches end so many seconds from now; 0 for no such end.
    void set_deadline(double seconds) noexcept {
        has_missed_ = false;
        deadline_ = seconds > 0 ? ggml_time_us() + static_cast<int64_t>(seconds * 1e6) : 0;
    }

    /// Whether the last batch was stopped at the deadline that was set last.
    bool missed_deadline() const noexcept { return has_missed_; }

    /// llama.cpp's callback: asked between operations, by the thread that computes.
    static bool wants_abort(void * data) {
        auto & signal = *static_cast<abort_signal *>(data);
        if (!signal.is_requested()) {
            if (!signal.is_in_batch_ || signal.deadline_ == 0 || ggml_time_us() < signal.deadline_) {
                return false;
            }
            signal.has_missed_ = true;
        }
        signal.has_stopped_ = true;
        return true;
    }

private:
    friend class timed_batch;

    std::atomic<bool> is_requested_{false};
    // Only the thread that computes uses these.
    int64_t deadline_ = 0;
    bool is_in_batch_ = false;
    bool has_stopped_ = false;
    bool has_missed_ = false;
};

/// The time in which a batch is computed. The deadline is that of the batch: what drafts before or reads after it with
/// the same signal is not stopped by it, and says nothing about the batch.
class timed_batch {
public:
    explicit timed_batch(abort_signal & signal) : signal_(signal) {
        signal_.is_in_batch_ = true;
        signal_.has_stopped_ = false;
        signal_.has_missed_ = false;
    }

    ~timed_batch() { signal_.is_in_batch_ = false; }

    timed_batch(const timed_batch &) = delete;
    timed_batch & operator=(const timed_batch &) = delete;

    /// Whether a part of the batch was left out, so that it does not count as computed.
    bool was_stopped() const { return signal_.has_stopped_; }

private:
    abort_signal & signal_;
};

}  // namespace cllama
