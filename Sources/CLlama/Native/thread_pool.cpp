#include "thread_pool.hpp"

#include <algorithm>

namespace cllama {

void thread_pool::resize(int32_t threads, int32_t batch_threads) {
    const int32_t most = std::max(threads, batch_threads);
    if (size != most) {
        size = most;
        llama_detach_threadpool(context);
        // A single thread is the caller's own; ggml also computes without a pool when none can be made.
        if (ggml_threadpool * const pool = most > 1 ? pool_of(most) : nullptr) {
            llama_attach_threadpool(context, pool, pool);
        }
    }
    llama_set_n_threads(context, threads, batch_threads);
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
