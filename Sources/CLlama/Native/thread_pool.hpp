#pragma once

#include "ggml-cpu.h"
#include "llama.h"

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

namespace cllama {

/// The compute threads of a context and of those that take turns with it, kept between batches.
///
/// Without a pool ggml starts and joins its threads for every batch, which for small models takes a noticeable part of
/// each token's time. Contexts come and leave on any thread.
class thread_pool {
  public:
    thread_pool() = default;
    ~thread_pool();
    thread_pool(const thread_pool &) = delete;
    thread_pool & operator=(const thread_pool &) = delete;

    /// Takes a context in, which has to leave before it is freed.
    void add(llama_context * context);
    void remove(llama_context * context);

    /// Computes with `threads` from the next batch on, and prompts with `batch_threads`. Not during a batch.
    void resize(int32_t threads, int32_t batch_threads);

  private:
    struct deleter {
        void operator()(ggml_threadpool * pool) const { ggml_threadpool_free(pool); }
    };

    void attach(llama_context * context);
    ggml_threadpool * pool_of(int32_t threads);

    std::mutex mutex;
    std::vector<llama_context *> contexts;
    /// By their number of threads, the caller's included. None is freed before the context's last batch: the backend
    /// holds on to the pool of the batch before, and pauses it when the next one has another.
    std::map<int32_t, std::unique_ptr<ggml_threadpool, deleter>> pools;
    /// What was chosen last; 0 before that.
    int32_t threads = 0;
    int32_t batch_threads = 0;
};

}  // namespace cllama
