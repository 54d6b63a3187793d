#include "thread_pool.hpp"

#include <algorithm>

namespace cllama {

void thread_pool::resize(int32_t threads, int32_t batch_threads) {
    const int32_t most = std::max(threads, batch_threads);
    if (size != most) {
        llama_detach_threadpool(context);
        pool.reset();
        size = most;
        // A single thread is the caller's own; ggml also computes without a pool when none can be made.
        if (most > 1) {
            ggml_threadpool_params params = ggml_threadpool_params_default(most);
            pool.reset(ggml_threadpool_new(&params));
        }
        if (pool) {
            llama_attach_threadpool(context, pool.get(), pool.get());
        }
    }
    llama_set_n_threads(context, threads, batch_threads);
}

}  // namespace cllama
