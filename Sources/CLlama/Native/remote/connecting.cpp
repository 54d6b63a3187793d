#include "connecting.hpp"

#include "../guard.hpp"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <future>
#include <memory>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>

namespace cllama {

namespace {

using clock = std::chrono::steady_clock;

struct address_deleter {
    void operator()(addrinfo * list) const { freeaddrinfo(list); }
};

using address_list = std::shared_ptr<addrinfo>;

struct resolution {
    address_list addresses;
    std::string problem;
};

resolution resolve(const std::string & host, const std::string & port) {
    addrinfo hints = {};
    hints.ai_socktype = SOCK_STREAM;
    addrinfo * found = nullptr;
    const int code = getaddrinfo(host.c_str(), port.c_str(), &hints, &found);
    return code == 0 ? resolution{address_list(found, address_deleter()), ""} : resolution{nullptr, gai_strerror(code)};
}

/// Looks the name up on a thread of its own, which is left behind when it takes too long: nothing can interrupt it.
address_list resolve(const server_address & address, clock::time_point deadline, const stop_request & stop) {
    std::promise<resolution> promise;
    std::future<resolution> future = promise.get_future();
    std::thread([promise = std::move(promise), host = address.host, port = std::to_string(address.port)]() mutable {
        try {
            promise.set_value(resolve(host, port));
        } catch (...) {
            promise.set_exception(std::current_exception());
        }
    }).detach();
    while (future.wait_for(waiting_slice) != std::future_status::ready) {
        require_no_stop(stop);
        if (clock::now() >= deadline) {
            refuse_server(address, "its name could not be looked up in time. Correct rpcServers, or try again.");
        }
    }
    const resolution result = future.get();
    if (!result.addresses) {
        refuse_server(address, "its name could not be looked up (" + result.problem + "). Correct rpcServers.");
    }
    return result.addresses;
}

void set_option(int socket, int level, int name, int value) {
    // None of them is needed to work.
    setsockopt(socket, level, name, &value, sizeof(value));
}

/// Lets the system find out within half a minute that the other machine is gone while nothing is under way.
///
/// There is no limit on data that is not taken: a server that computes may take none for long, and the limits of
/// `remote_link` hold for those who wait.
void configure(int socket) {
    fcntl(socket, F_SETFL, fcntl(socket, F_GETFL) | O_NONBLOCK);
    fcntl(socket, F_SETFD, FD_CLOEXEC);
    set_option(socket, IPPROTO_TCP, TCP_NODELAY, 1);
    set_option(socket, SOL_SOCKET, SO_KEEPALIVE, 1);
    set_option(socket, IPPROTO_TCP, TCP_KEEPINTVL, 5);
    set_option(socket, IPPROTO_TCP, TCP_KEEPCNT, 4);
#ifdef __APPLE__
    set_option(socket, IPPROTO_TCP, TCP_KEEPALIVE, 10);
    set_option(socket, SOL_SOCKET, SO_NOSIGPIPE, 1);
#else
    set_option(socket, IPPROTO_TCP, TCP_KEEPIDLE, 10);
#endif
}

/// Waits for the end of a connection attempt; an errno, 0 for success.
int finish_connecting(int socket, clock::time_point deadline, const stop_request & stop) {
    while (true) {
        pollfd entry = {socket, POLLOUT, 0};
        const int ready = poll(&entry, 1, static_cast<int>(waiting_slice.count()));
        if (ready > 0) {
            int code = 0;
            socklen_t size = sizeof(code);
            return getsockopt(socket, SOL_SOCKET, SO_ERROR, &code, &size) == 0 ? code : errno;
        }
        if (ready < 0 && errno != EINTR) {
            return errno;
        }
        require_no_stop(stop);
        if (clock::now() >= deadline) {
            return ETIMEDOUT;
        }
    }
}

/// Closes a socket unless it is handed on.
class socket_holder {
  public:
    explicit socket_holder(int socket) : socket(socket) {}
    ~socket_holder() {
        if (socket >= 0) {
            close(socket);
        }
    }
    socket_holder(const socket_holder &) = delete;
    socket_holder & operator=(const socket_holder &) = delete;

    int get() const { return socket; }
    int release() {
        const int released = socket;
        socket = -1;
        return released;
    }

  private:
    int socket;
};

}  // namespace

void refuse_server(const server_address & address, const std::string & reason) {
    throw failure(CL_MODEL_LOAD_FAILED, "the RPC server " + address.name + " cannot be used: " + reason);
}

void require_no_stop(const stop_request & stop) {
    require(!stop.is_set(), CL_CANCELLED, "loading was cancelled");
}

int connect_to(const server_address & address, std::chrono::milliseconds limit, const stop_request & stop) {
    const clock::time_point deadline = clock::now() + limit;
    const address_list addresses = resolve(address, deadline, stop);
    int code = EADDRNOTAVAIL;
    for (const addrinfo * entry = addresses.get(); entry != nullptr; entry = entry->ai_next) {
        require_no_stop(stop);
        socket_holder holder(socket(entry->ai_family, entry->ai_socktype, entry->ai_protocol));
        if (holder.get() < 0) {
            code = errno;
            continue;
        }
        configure(holder.get());
        code = connect(holder.get(), entry->ai_addr, entry->ai_addrlen) == 0 ? 0 : errno;
        if (code == EINPROGRESS || code == EINTR) {
            code = finish_connecting(holder.get(), deadline, stop);
        }
        if (code == 0) {
            return holder.release();
        }
    }
    refuse_server(address, std::string("no connection (") + std::strerror(code) +
                               "). Start ggml-rpc-server there, or correct rpcServers.");
}

}  // namespace cllama
