#include "llama_transport.hpp"
#include "server.hpp"

#include <algorithm>

struct socket_t::impl {
    std::shared_ptr<cllama::remote_link> link;
};

socket_t::socket_t(std::unique_ptr<impl> implementation) : pimpl(std::move(implementation)) {}

socket_t::~socket_t() = default;

bool socket_t::send_data(const void * data, size_t size) {
    pimpl->link->send(data, size);
    return true;
}

bool socket_t::recv_data(void * data, size_t size) {
    pimpl->link->receive(data, size);
    return true;
}

bool socket_t::flush() {
    pimpl->link->flush();
    return true;
}

void socket_t::get_caps(uint8_t * local_caps) {
    std::fill_n(local_caps, cllama::capabilities_size, uint8_t(0));
}

void socket_t::update_caps(const uint8_t *) {}

/// The connection was made before llama.cpp was told of the server; `host` is its name, see `remote_server`.
std::shared_ptr<socket_t> socket_t::connect(const char * host, int) {
    auto link = cllama::link_of_endpoint(host);
    if (!link) {
        return nullptr;
    }
    auto implementation = std::make_unique<impl>();
    implementation->link = std::move(link);
    return std::shared_ptr<socket_t>(new socket_t(std::move(implementation)));
}

// This package never is a server.

std::shared_ptr<socket_t> socket_t::accept() {
    return nullptr;
}

std::shared_ptr<socket_t> socket_t::create_server(const char *, int) {
    return nullptr;
}

bool rpc_transport_init() {
    return true;
}

void rpc_transport_shutdown() {}
