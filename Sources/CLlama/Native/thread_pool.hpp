#pragma once

#include "ggml-cpu.h"
#include "llama.h"

#include <cstdint>
#include <map>
#include <memory>

namespace cllama {

/// The compute threads of one context, kept between batches.
///
/// Without a pool ggml starts and joins its threads for every batch, which for small models takes a noticeable part of
/// each token's time.
class thread_pool {
  public:
    explicit thread_pool(llama_context * context) : context(context) {}
    ~thread_pool() { llama_detach_threadpool(context); }
    thread_pool(const thread_pool &) = delete;
    thread_pool & operator=(const thread_pool &) = delete;

    /// Computes with `threads` from the next batch on, and prompts with `batch_threads`. Not during a batch.
    void resize(int32_t threads, int32_t batch_threads);

  private:
    struct deleter {
        void operator()(ggml_threadpool * pool) const { ggml_threadpool_free(pool); }
    };

    ggml_threadpool * pool_of(int32_t threads);

    llama_context * context;
    /// By their number of threads, the caller's included. None is freed before the context's last batch: the backend
    /// holds on to the pool of the batch before, and pauses it when the next one has another.
    std::map<int32_t, std::unique_ptr<ggml_threadpool, deleter>> pools;
    /// Threads of the pool in use.
    int32_t size = 0;
};

}  // namespace cllama
