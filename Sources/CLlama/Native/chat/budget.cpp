#include "budget.hpp"

#include "../guard.hpp"
#include "values.hpp"

#include <ctime>

namespace cllama::chat {

namespace {

thread_local budget * in_force = nullptr;

/// Steps between two looks at the clock. One step takes at most some tens of milliseconds.
constexpr unsigned STEPS_PER_LOOK = 16;

std::chrono::nanoseconds processor_time() {
    std::timespec used{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
    return std::chrono::seconds(used.tv_sec) + std::chrono::nanoseconds(used.tv_nsec);
}

std::string seconds(std::chrono::milliseconds time) {
    const auto tenths = time.count() / 100;
    const std::string whole = std::to_string(tenths / 10);
    return tenths % 10 == 0 ? whole : whole + "." + std::to_string(tenths % 10);
}

bool can_hold_values(const jinja::value_t & value) {
    return !value.is_immutable() || !value.val_arr.empty() || value.val_func || is_named(value);
}

}  // namespace

time_point operation_deadline() {
    return std::chrono::steady_clock::now() + OPERATION_TIME;
}

budget::budget(const allowance & allowed)
    : allowed_(allowed), last_processor_time_(processor_time() + allowed.processor_time), outer_(in_force) {
    in_force = this;
}

budget::~budget() {
    in_force = outer_;
}

budget & budget::current() {
    if (in_force == nullptr) {
        throw failure(CL_INTERNAL, "a chat template ran without a budget");
    }
    return *in_force;
}

void budget::step() {
    if (is_exhausted()) {
        throw limit_reached(reason_);
    }
    if (until_clock_-- > 0) {
        return;
    }
    until_clock_ = STEPS_PER_LOOK;
    look_at_clocks();
}

void budget::look_at_clocks() {
    if (std::chrono::steady_clock::now() >= allowed_.deadline) {
        is_late_ = true;
        exhaust("The chat template did not come to an end within " + seconds(OPERATION_TIME) + " s.");
    }
    if (processor_time() >= last_processor_time_) {
        exhaust("The chat template ran longer than " + seconds(allowed_.processor_time) + " s.");
    }
}

void budget::charge(size_t bytes) {
    work_bytes_ += bytes;
    if (work_bytes_ > allowed_.work_bytes) {
        exhaust("The chat template needed more than " + std::to_string(allowed_.work_bytes / MIB) +
                " MiB of memory.");
    }
}

void budget::charge_new(const jinja::value & made) {
    if (made.use_count() > 1) {
        return;
    }
    size_t bytes = VALUE_BYTES;
    if (jinja::is_val<jinja::value_string>(made)) {
        const size_t length = made->val_str.length();
        require_text(static_cast<double>(length));
        bytes += length + made->val_str.parts.size() * sizeof(jinja::string_part);
    } else {
        require_list(static_cast<double>(made->val_arr.size()));
        bytes += made->val_arr.size() * sizeof(jinja::value) + made->val_obj.size() * VALUE_BYTES;
        if (can_hold_values(*made)) {
            count_container();
        }
    }
    charge(bytes);
}

void budget::count_container() {
    if (++containers_ > MAX_CONTAINERS) {
        exhaust("The chat template made more than " + std::to_string(MAX_CONTAINERS) + " lists and objects.");
    }
}

void budget::require_text(double bytes) {
    if (bytes > static_cast<double>(allowed_.output_bytes)) {
        exhaust("The chat template printed more than " + std::to_string(allowed_.output_bytes / KIB) + " KiB.");
    }
}

void budget::require_list(double elements) {
    if (elements > static_cast<double>(MAX_LIST_ELEMENTS)) {
        exhaust("The chat template made a list of more than " + std::to_string(MAX_LIST_ELEMENTS) + " elements.");
    }
}

void budget::require_effort(double bytes) {
    if (bytes > MAX_TOUCHED_BYTES) {
        exhaust("The chat template asked for an operation on text that takes too long.");
    }
}

void budget::exhaust(const std::string & reason) {
    reason_ = reason;
    throw limit_reached(reason_);
}

void budget::note_changed(const jinja::value & changed) {
    count_container();
    changed_.push_back(changed);
    charge(sizeof(changed_.back()));
}

std::vector<std::weak_ptr<jinja::value_t>> budget::take_changed() {
    return std::move(changed_);
}

execution::execution() : budget_(budget::current()) {
    budget_.step();
    if (budget_.depth_ >= MAX_EXECUTION_DEPTH) {
        budget_.exhaust("The chat template nests deeper than " + std::to_string(MAX_EXECUTION_DEPTH) + " levels.");
    }
    ++budget_.depth_;
}

}  // namespace cllama::chat
