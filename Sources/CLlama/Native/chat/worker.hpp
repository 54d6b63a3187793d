#pragma once

#include <functional>
#include <memory>
#include <utility>

namespace cllama::chat {

/// Runs `job` on a thread with a stack that is large enough for the deepest template, and waits for it.
///
/// What the job throws is thrown here. The job must own what it uses: should it ever run on past `WORKER_TIME`, the
/// caller gets `failure(CL_LIMIT_EXCEEDED)` and the job is left behind.
void run_on_worker(std::function<void()> job);

/// The same for a job with a result.
template <class Result>
Result on_worker(std::function<Result()> job) {
    auto result = std::make_shared<std::unique_ptr<Result>>();
    run_on_worker([result, job = std::move(job)] { *result = std::make_unique<Result>(job()); });
    return std::move(**result);
}

}  // namespace cllama::chat
