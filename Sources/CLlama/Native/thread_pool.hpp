#pragma once

#include "ggml-cpu.h"
#include "llama.h"

#include <cstdint>
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

    llama_context * context;
    std::unique_ptr<ggml_threadpool, deleter> pool;
    /// Threads that the pool was made for, the caller's included.
    int32_t size = 0;
};

}  // namespace cllama
