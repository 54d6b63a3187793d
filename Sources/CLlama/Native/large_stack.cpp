#include "large_stack.hpp"

#include "guard.hpp"

#include <exception>
#include <pthread.h>

namespace cllama {

namespace {

/// Only the pages that are touched take memory. The smaller one is for systems that limit address space.
constexpr size_t stack_sizes[] = {size_t(256) << 20, size_t(64) << 20};

struct task {
    const std::function<void()> * body;
    std::exception_ptr thrown;
};

void * perform(void * argument) {
    task & work = *static_cast<task *>(argument);
    try {
        guard_scope scope;
        (*work.body)();
    } catch (...) {
        work.thrown = std::current_exception();
    }
    return nullptr;
}

}  // namespace

void on_large_stack(const std::function<void()> & body) {
    task work = {&body, nullptr};
    pthread_t thread;
    bool is_running = false;
    for (const size_t size : stack_sizes) {
        pthread_attr_t attributes;
        pthread_attr_init(&attributes);
        is_running = pthread_attr_setstacksize(&attributes, size) == 0 &&
                     pthread_create(&thread, &attributes, perform, &work) == 0;
        pthread_attr_destroy(&attributes);
        if (is_running) {
            break;
        }
    }
    require(is_running, CL_OUT_OF_MEMORY, "there is no memory for another thread");
    pthread_join(thread, nullptr);
    if (work.thrown) {
        std::rethrow_exception(work.thrown);
    }
}

}  // namespace cllama
