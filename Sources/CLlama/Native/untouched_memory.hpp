#pragma once

#if defined(__linux__)
// Part of what is added to ggml; not there when it was built without.
extern "C" __attribute__((weak)) void ggml_leave_untouched(bool leaves_untouched);
#endif

namespace cllama {

/// While one lives, memory that llama.cpp fills with zeros on this thread is left to the system, which has zeros for
/// its pages once they are used: the cells of a context that never are do not count as memory.
class untouched_memory {
public:
    untouched_memory() { leave_untouched(true); }
    ~untouched_memory() { leave_untouched(false); }
    untouched_memory(const untouched_memory &) = delete;
    untouched_memory & operator=(const untouched_memory &) = delete;

private:
    static void leave_untouched([[maybe_unused]] bool value) {
#if defined(__linux__)
        if (ggml_leave_untouched != nullptr) {
            ggml_leave_untouched(value);
        }
#endif
    }
};

}  // namespace cllama
