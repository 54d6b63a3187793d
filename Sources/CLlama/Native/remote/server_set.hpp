#pragma once

#include "server.hpp"

#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace cllama {

/// The servers of one model, usually none.
///
/// Work that reaches servers runs inside `watched` or `computing`: llama.cpp is never told that a server was lost, and
/// goes on with zeros.
class server_set {
  public:
    server_set() = default;

    /// Throws `CL_MODEL_LOAD_FAILED` naming the server that cannot be used, or `CL_CANCELLED`.
    server_set(const cl_server * servers, size_t count, const time_limits & limits, const stop_request & stop);

    bool is_empty() const { return servers.empty(); }

    std::vector<ggml_backend_dev_t> devices() const;

    bool is_lost() const;

    /// Whether no connection was ended, also not since it was used last.
    bool are_there() const;

    /// Throws `CL_SERVER_LOST` naming the server once one is lost.
    void check() const;

    /// Runs `body`; a server that is lost by then is the failure, whatever else `body` came to.
    ///
    /// Servers that do not answer are given up early once `stop` is set.
    template <class Body>
    void watched(const stop_request & stop, Body && body) const {
        check();
        const watch waiting(servers, stop);
        try {
            std::forward<Body>(body)();
        } catch (...) {
            check();
            throw;
        }
        check();
    }

    /// `watched` for work that computes graphs, while no other model does so on these servers.
    ///
    /// Throws `CL_CANCELLED` when `stop` is set while others compute. Afterwards `abandonment` counts: once it is set,
    /// nobody waits for `body` any more.
    template <class Body>
    void computing(const stop_request & stop, const stop_request & abandonment, Body && body) const {
        const std::vector<std::unique_lock<std::timed_mutex>> locks = lock(stop);
        watched(abandonment, std::forward<Body>(body));
    }

    template <class Body>
    void computing(const stop_request & stop, Body && body) const {
        computing(stop, stop, std::forward<Body>(body));
    }

    /// Runs `body`, which frees memory on the servers. Nobody waits for their answers.
    template <class Body>
    void freeing(Body && body) const {
        const watch waiting(servers, {[](void *) { return true; }, nullptr});
        std::forward<Body>(body)();
    }

  private:
    using server_list = std::vector<std::shared_ptr<remote_server>>;

    /// Counts the caller among those who wait for the servers.
    class watch {
      public:
        watch(const server_list & servers, const stop_request & stop);
        ~watch();
        watch(const watch &) = delete;
        watch & operator=(const watch &) = delete;

      private:
        const server_list & servers;
        const stop_request stop;
    };

    std::vector<std::unique_lock<std::timed_mutex>> lock(const stop_request & stop) const;

    /// In the order of the configuration.
    server_list servers;
};

}  // namespace cllama
