#include "server_set.hpp"

#include "../guard.hpp"

#include <algorithm>
#include <functional>

namespace cllama {

server_set::server_set(const cl_server * list, size_t count, const time_limits & limits, const stop_request & stop) {
    for (size_t index = 0; index < count; ++index) {
        const server_address address = {list[index].name, list[index].host, list[index].port};
        auto server = remote_server::open(address, limits, stop);
        if (std::find(servers.begin(), servers.end(), server) != servers.end()) {
            refuse_server(address, "it is listed twice");
        }
        servers.push_back(std::move(server));
    }
}

std::vector<ggml_backend_dev_t> server_set::devices() const {
    std::vector<ggml_backend_dev_t> all;
    for (const auto & server : servers) {
        all.insert(all.end(), server->devices().begin(), server->devices().end());
    }
    return all;
}

bool server_set::is_lost() const {
    return std::any_of(servers.begin(), servers.end(), [](const auto & server) { return server->link().is_lost(); });
}

bool server_set::are_there() const {
    return std::all_of(servers.begin(), servers.end(), [](const auto & server) { return server->link().is_there(); });
}

void server_set::check() const {
    for (const auto & server : servers) {
        if (server->link().is_lost()) {
            throw failure(CL_SERVER_LOST, server->link().loss());
        }
    }
}

/// In an order that is the same for all sets, so that none waits for another in a circle.
std::vector<std::unique_lock<std::timed_mutex>> server_set::lock(const stop_request & stop) const {
    server_list ordered = servers;
    std::sort(ordered.begin(), ordered.end(), [](const auto & left, const auto & right) {
        return std::less<remote_server *>()(left.get(), right.get());
    });
    std::vector<std::unique_lock<std::timed_mutex>> locks;
    for (const auto & server : ordered) {
        std::unique_lock<std::timed_mutex> lock(server->link().computing, std::defer_lock);
        while (!lock.try_lock_for(waiting_slice)) {
            require(!stop.is_set(), CL_CANCELLED, "stopped while another model computed on the same server");
        }
        locks.push_back(std::move(lock));
    }
    return locks;
}

server_set::watch::watch(const server_list & servers, const stop_request & stop) : servers(servers), stop(stop) {
    for (const auto & server : servers) {
        server->link().add_waiting(stop);
    }
}

server_set::watch::~watch() {
    for (const auto & server : servers) {
        server->link().remove_waiting(stop);
    }
}

}  // namespace cllama
