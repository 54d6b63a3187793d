#include "link.hpp"

#include "../guard.hpp"

#include "ggml-rpc.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <optional>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace cllama {

namespace {

using clock = std::chrono::steady_clock;

/// Smaller pieces are collected, so that a request leaves in one packet.
constexpr size_t collected_size = 16 * 1024;

constexpr char silence[] = "it does not answer";
constexpr char ending[] = "it closed the connection";
constexpr char wrong_size[] = "its answer is not of the size that was asked for";
constexpr char nonsense[] = "its answer makes no sense";

#ifdef __APPLE__
constexpr int send_flags = 0;
#else
constexpr int send_flags = MSG_NOSIGNAL;
#endif

/// Resets a connection: a server that answers on one that was closed in order is ended by a signal. After a reset it
/// frees what it holds for the connection, and takes the next one.
void break_off(int socket) {
    if (socket >= 0) {
        const linger at_once = {1, 0};
        setsockopt(socket, SOL_SOCKET, SO_LINGER, &at_once, sizeof(at_once));
        close(socket);
    }
}

bool would_block() {
    return errno == EAGAIN || errno == EWOULDBLOCK;
}

uint8_t * answer_bytes(uint64_t & number) {
    return reinterpret_cast<uint8_t *>(&number);
}

}  // namespace

/// When to give up; starts anew with every byte that moves.
class remote_link::deadline {
  public:
    explicit deadline(const remote_link & link) : link(link) { restart(); }

    void restart() {
        begin = clock::now();
        stop_seen.reset();
    }

    bool is_over() {
        const clock::time_point now = clock::now();
        if (now - begin >= link.patience) {
            return true;
        }
        if (!link.are_all_stopping()) {
            stop_seen.reset();
        } else if (!stop_seen) {
            stop_seen = now;
        }
        return stop_seen && now - *stop_seen >= link.grace;
    }

  private:
    const remote_link & link;
    clock::time_point begin;
    std::optional<clock::time_point> stop_seen;
};

remote_link::remote_link(const server_address & address, const time_limits & limits, const stop_request & stop)
    : address(address), patience(limits.connecting), grace(0), socket(connect_to(address, patience, stop)) {
    try {
        add_waiting(stop);
        greet();
        ask_facts();
        remove_waiting(stop);
        require_no_stop(stop);
        if (is_lost()) {
            const char * const hint = reason == silence ? "; it may be busy with another program" : "";
            refuse_server(address, reason_text() + hint);
        }
        patience = limits.answering;
        grace = limits.stopping;
    } catch (...) {
        break_off(socket);
        throw;
    }
}

remote_link::~remote_link() {
    if (socket >= 0) {
        close(socket);
    }
}

/// Says hello once for the connection, whose answer llama.cpp gets whenever it does.
void remote_link::greet() {
    uint8_t request[1 + 8 + capabilities_size] = {};
    request[0] = static_cast<uint8_t>(rpc_command::hello);
    request[1] = capabilities_size;
    write(request, sizeof(request));
    uint8_t answer[8 + hello_answer_size] = {};
    read(answer, sizeof(answer));
    std::copy(answer + 8, answer + sizeof(answer), hello_answer);
    const bool is_known = answer[0] == hello_answer_size && hello_answer[0] == RPC_PROTO_MAJOR_VERSION &&
                          hello_answer[1] <= RPC_PROTO_MINOR_VERSION;
    if (!is_lost() && !is_known) {
        lose("it speaks another version of the protocol, or none. Run the RPC server of the same llama.cpp version "
             "there");
    }
}

/// Asks for all that tells this server from another one at the same address.
void remote_link::ask_facts() {
    std::copy_n(hello_answer, learned.version.size(), learned.version.begin());
    uint8_t answer[2 * sizeof(uint64_t)] = {};
    ask(rpc_command::get_device_count, nullptr, answer, sizeof(uint32_t));
    // An answer that is not usable has lost the connection.
    for (uint32_t device = 0; device < answer[0] && !is_lost(); ++device) {
        server_facts::device facts = {};
        ask(rpc_command::get_alignment, &device, answer_bytes(facts.alignment), sizeof(facts.alignment));
        ask(rpc_command::get_maximum_size, &device, answer_bytes(facts.maximum_size), sizeof(facts.maximum_size));
        uint64_t memory[2] = {};
        ask(rpc_command::get_device_memory, &device, answer_bytes(memory[0]), sizeof(memory));
        // The first number is what is free at the moment.
        facts.memory = memory[1];
        learned.devices.push_back(facts);
    }
}

void remote_link::ask(rpc_command command, const uint32_t * device, uint8_t * bytes, size_t count) {
    uint8_t request[1 + sizeof(uint64_t) + sizeof(*device)] = {};
    const size_t size = device == nullptr ? 0 : sizeof(*device);
    request[0] = static_cast<uint8_t>(command);
    request[1] = static_cast<uint8_t>(size);
    if (device != nullptr) {
        std::memcpy(request + 1 + sizeof(uint64_t), device, size);
    }
    write(request, 1 + sizeof(uint64_t) + size);
    uint64_t announced = 0;
    read(reinterpret_cast<uint8_t *>(&announced), sizeof(announced));
    if (!is_lost() && announced != count) {
        lose(wrong_size);
    }
    read(bytes, count);
    if (!is_lost() && !is_usable_answer(command, bytes)) {
        const bool is_count = command == rpc_command::get_device_count;
        lose(is_count ? "its number of devices is not within 1 and 64" : nonsense);
    }
}

void remote_link::send(const void * data, size_t size) noexcept {
    const auto * const bytes = static_cast<const uint8_t *>(data);
    requests.take(bytes, size);
    is_inside_answer = false;
    if (is_lost() || requests.command() == rpc_command::hello) {
        return;
    }
    try {
        if (size < collected_size) {
            outgoing.insert(outgoing.end(), bytes, bytes + size);
        }
        if (outgoing.size() >= collected_size || size >= collected_size) {
            flush();
        }
        if (size >= collected_size) {
            write(bytes, size);
        }
    } catch (...) {
        lose("there was no memory for a request");
    }
}

void remote_link::flush() noexcept {
    write(outgoing.data(), outgoing.size());
    outgoing.clear();
}

void remote_link::receive(void * data, size_t size) noexcept {
    auto * const bytes = static_cast<uint8_t *>(data);
    const rpc_command command = requests.command();
    if (!is_inside_answer) {
        is_inside_answer = true;
        const uint64_t expected = requests.answer_size();
        uint64_t announced = expected;
        if (command != rpc_command::hello) {
            read(reinterpret_cast<uint8_t *>(&announced), sizeof(announced));
        }
        if (!is_lost() && announced != expected) {
            lose(wrong_size);
        }
        std::memcpy(bytes, &expected, std::min(size, sizeof(expected)));
        return;
    }
    is_inside_answer = false;
    if (command == rpc_command::hello) {
        std::memcpy(bytes, hello_answer, std::min(size, hello_answer_size));
        return;
    }
    read(bytes, size);
    if (!is_lost() && !is_usable_answer(command, bytes)) {
        lose(nonsense);
    }
    if (is_lost()) {
        write_refusal(command, bytes, size);
    }
}

void remote_link::write(const uint8_t * bytes, size_t count) {
    deadline until(*this);
    while (count > 0 && !is_lost()) {
        const ssize_t sent = ::send(socket, bytes, count, send_flags);
        if (sent > 0) {
            bytes += sent;
            count -= static_cast<size_t>(sent);
            until.restart();
        } else if (!would_block() && errno != EINTR) {
            lose("the connection broke", errno);
        } else if (!wait_for(POLLOUT, until)) {
            lose("it takes nothing any more");
        }
    }
}

void remote_link::read(uint8_t * bytes, size_t count) {
    deadline until(*this);
    while (count > 0 && !is_lost()) {
        const ssize_t received = ::recv(socket, bytes, count, 0);
        if (received > 0) {
            bytes += received;
            count -= static_cast<size_t>(received);
            until.restart();
        } else if (received == 0) {
            lose(ending);
        } else if (!would_block() && errno != EINTR) {
            lose("the connection broke", errno);
        } else if (!wait_for(POLLIN, until)) {
            lose(silence);
        }
    }
}

/// False when it is time to give up.
bool remote_link::wait_for(short events, deadline & until) {
    pollfd entry = {socket, events, 0};
    const int ready = poll(&entry, 1, static_cast<int>(waiting_slice.count()));
    return ready > 0 || !until.is_over();
}

void remote_link::lose(const char * why, int code) noexcept {
    std::lock_guard<std::mutex> lock(mutex);
    if (!is_lost()) {
        reason = why;
        reason_code = code;
    }
    break_off(socket);
    socket = -1;
    outgoing.clear();
    was_lost.store(true, std::memory_order_release);
}

bool remote_link::is_there() noexcept {
    std::lock_guard<std::mutex> lock(mutex);
    if (is_lost()) {
        return false;
    }
    // What waits to be read stays there for the thread that reads.
    uint8_t byte = 0;
    const ssize_t waiting = ::recv(socket, &byte, 1, MSG_PEEK | MSG_DONTWAIT);
    if (waiting > 0 || (waiting < 0 && (would_block() || errno == EINTR))) {
        return true;
    }
    // The socket stays open: another thread may be about to use it.
    reason = ending;
    was_lost.store(true, std::memory_order_release);
    return false;
}

std::string remote_link::reason_text() const {
    std::lock_guard<std::mutex> lock(mutex);
    return reason_code == 0 ? reason : std::string(reason) + " (" + std::strerror(reason_code) + ")";
}

std::string remote_link::loss() const {
    return "the RPC server " + address.name + " was lost: " + reason_text() + "; load the model again once it runs";
}

void remote_link::add_waiting(const stop_request & stop) {
    std::lock_guard<std::mutex> lock(mutex);
    waiting.push_back(stop);
}

void remote_link::remove_waiting(const stop_request & stop) {
    std::lock_guard<std::mutex> lock(mutex);
    const auto found = std::find(waiting.begin(), waiting.end(), stop);
    if (found != waiting.end()) {
        waiting.erase(found);
    }
}

bool remote_link::are_all_stopping() const {
    std::lock_guard<std::mutex> lock(mutex);
    return !waiting.empty() &&
           std::all_of(waiting.begin(), waiting.end(), [](const stop_request & stop) { return stop.is_set(); });
}

}  // namespace cllama
