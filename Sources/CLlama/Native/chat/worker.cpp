#include "worker.hpp"

#include "../guard.hpp"
#include "limits.hpp"

#include <condition_variable>
#include <exception>
#include <mutex>
#include <pthread.h>

namespace cllama::chat {

namespace {

/// Only touched pages of a stack take memory. See limits.hpp for what needs how much of it.
constexpr size_t STACK_SIZES[] = {256 * MIB, 128 * MIB};

struct assignment {
    std::function<void()> job;
    std::mutex mutex;
    std::condition_variable finished;
    bool is_done = false;
    std::exception_ptr thrown;
};

void perform(assignment & work) {
    std::exception_ptr thrown;
    try {
        guard_scope scope;
        work.job();
    } catch (...) {
        thrown = std::current_exception();
    }
    // Whatever the job owns is freed on this large stack, too.
    work.job = nullptr;
    const std::lock_guard<std::mutex> lock(work.mutex);
    work.thrown = thrown;
    work.is_done = true;
    work.finished.notify_one();
}

void * worker_main(void * argument) {
    const std::unique_ptr<std::shared_ptr<assignment>> work(static_cast<std::shared_ptr<assignment> *>(argument));
    perform(**work);
    return nullptr;
}

bool start(pthread_t & thread, std::shared_ptr<assignment> * argument) {
    for (const size_t size : STACK_SIZES) {
        pthread_attr_t attributes;
        pthread_attr_init(&attributes);
        const bool started = pthread_attr_setstacksize(&attributes, size) == 0 &&
                             pthread_create(&thread, &attributes, worker_main, argument) == 0;
        pthread_attr_destroy(&attributes);
        if (started) {
            return true;
        }
    }
    return false;
}

bool wait(assignment & work) {
    std::unique_lock<std::mutex> lock(work.mutex);
    return work.finished.wait_for(lock, WORKER_TIME, [&] { return work.is_done; });
}

}  // namespace

void run_on_worker(std::function<void()> job) {
    const auto work = std::make_shared<assignment>();
    work->job = std::move(job);
    auto argument = std::make_unique<std::shared_ptr<assignment>>(work);
    pthread_t thread;
    if (!start(thread, argument.get())) {
        throw failure(CL_OUT_OF_MEMORY, "There is no memory for a thread to run the chat template on.");
    }
    argument.release();
    if (!wait(*work)) {
        pthread_detach(thread);
        throw failure(CL_LIMIT_EXCEEDED, "The chat template did not come to an end in time.");
    }
    pthread_join(thread, nullptr);
    if (work->thrown) {
        std::rethrow_exception(work->thrown);
    }
}

}  // namespace cllama::chat
