#pragma once

#include "patience.hpp"

#include <string>

namespace cllama {

struct server_address {
    /// What errors call it.
    std::string name;
    std::string host;
    uint16_t port = 0;
};

/// A failure to open a connection, with the reason.
[[noreturn]] void refuse_server(const server_address & address, const std::string & reason);

/// Throws `failure(CL_CANCELLED)` once the request is set.
void require_no_stop(const stop_request & stop);

/// A connected TCP socket that never blocks and raises no signals.
///
/// Throws `CL_MODEL_LOAD_FAILED` naming the server when that takes longer than `limit`.
int connect_to(const server_address & address, std::chrono::milliseconds limit, const stop_request & stop);

}  // namespace cllama
