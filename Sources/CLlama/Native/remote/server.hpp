#pragma once

#include "link.hpp"

#include "ggml-backend.h"

#include <memory>
#include <string>
#include <vector>

namespace cllama {

/// A connected server and its devices, shared by all models of the process that use it: a server works for one
/// connection at a time.
class remote_server {
  public:
    /// The server that is connected already, or a new connection.
    ///
    /// Throws `CL_MODEL_LOAD_FAILED` naming the server, or `CL_CANCELLED`.
    static std::shared_ptr<remote_server> open(const server_address & address, const time_limits & limits,
                                               const stop_request & stop);

    remote_server(const std::string & key, const server_address & address, const time_limits & limits,
                  const stop_request & stop);
    ~remote_server();
    remote_server(const remote_server &) = delete;
    remote_server & operator=(const remote_server &) = delete;

    remote_link & link() const { return *connection; }

    const std::vector<ggml_backend_dev_t> & devices() const { return found; }

  private:
    void find_devices();

    const std::string key;
    std::shared_ptr<remote_link> connection;
    std::string endpoint;
    std::vector<ggml_backend_dev_t> found;
    /// Keeps llama.cpp's own object for the connection.
    ggml_backend_t anchor = nullptr;
};

/// The connection that llama.cpp knows under this name; null when there is none.
std::shared_ptr<remote_link> link_of_endpoint(const std::string & endpoint);

}  // namespace cllama
