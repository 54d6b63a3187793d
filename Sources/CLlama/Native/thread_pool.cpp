#include "thread_pool.hpp"

#include <algorithm>

namespace cllama {

thread_pool::~thread_pool() {
    for (llama_context * const context : contexts) {
        llama_detach_threadpool(context);
    }
}

void thread_pool::add(llama_context * context) {
    const std::lock_guard lock(mutex);
    contexts.push_back(context);
    if (threads > 0) {
        attach(context);
        llama_set_n_threads(context, threads, batch_threads);
    }
}

void thread_pool::remove(llama_context * context) {
    const std::lock_guard lock(mutex);
    llama_detach_threadpool(context);
    contexts.erase(std::remove(contexts.begin(), contexts.end(), context), contexts.end());
}

void thread_pool::resize(int32_t new_threads, int32_t new_batch_threads) {
    const std::lock_guard lock(mutex);
    const bool is_changed = std::max(threads, batch_threads) != std::max(new_threads, new_batch_threads);
    threads = new_threads;
    batch_threads = new_batch_threads;
    for (llama_context * const context : contexts) {
        if (is_changed) {
            attach(context);
        }
        llama_set_n_threads(context, threads, batch_threads);
    }
}

void thread_pool::attach(llama_context * context) {
    const int32_t most = std::max(threads, batch_threads);
    llama_detach_threadpool(context);
    // A single thread is the caller's own; ggml also computes without a pool when none can be made.
    if (ggml_threadpool * const pool = most > 1 ? pool_of(most) : nullptr) {
        llama_attach_threadpool(context, pool, pool);
    }
}

ggml_threadpool * thread_pool::pool_of(int32_t threads) {
    auto & pool = pools[threads];
    if (!pool) {
        ggml_threadpool_params params = ggml_threadpool_params_default(threads);
        pool.reset(ggml_threadpool_new(&params));
    }
    return pool.get();
}

}  // namespace cllama
