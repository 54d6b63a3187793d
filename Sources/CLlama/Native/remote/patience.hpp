#pragma once

#include "cl_server.h"

#include <chrono>

namespace cllama {

struct stop_request {
    cl_stop wants_stop = nullptr;
    void * context = nullptr;

    bool is_set() const { return wants_stop != nullptr && wants_stop(context); }

    bool operator==(const stop_request & other) const {
        return wants_stop == other.wants_stop && context == other.context;
    }
};

/// How long servers may take.
struct time_limits {
    std::chrono::milliseconds connecting;
    std::chrono::milliseconds answering;
    std::chrono::milliseconds stopping;

    explicit time_limits(const cl_server_limits & limits)
        : connecting(limits.connecting > 0 ? limits.connecting : 5000),
          answering(limits.answering > 0 ? limits.answering : 600000),
          stopping(limits.stopping > 0 ? limits.stopping : 30000) {}
};

/// How often those who wait look whether they still should.
constexpr std::chrono::milliseconds waiting_slice{50};

}  // namespace cllama
