#pragma once

#include "connecting.hpp"
#include "wire.hpp"

#include <array>
#include <atomic>
#include <chrono>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace cllama {

/// What llama.cpp learns of a server once and counts on for as long as it knows a connection by the same name.
struct server_facts {
    struct device {
        uint64_t alignment;
        uint64_t maximum_size;
        uint64_t memory;

        bool operator==(const device & other) const {
            return alignment == other.alignment && maximum_size == other.maximum_size && memory == other.memory;
        }
    };

    /// Of the protocol: the last number changes with the program.
    std::array<uint8_t, 3> version{};
    std::vector<device> devices;

    bool operator==(const server_facts & other) const {
        return version == other.version && devices == other.devices;
    }
};

/// One connection to a server, as llama.cpp's RPC client uses it: it never fails and never waits without limit.
///
/// llama.cpp answers a broken connection by ending the process, on a thread of its own where nothing can prevent it.
/// So a connection that broke goes on as if it were there: what is sent is dropped, and requests are answered with
/// `write_refusal`. Whoever made llama.cpp work asks `is_lost` afterwards. Memory on a lost server needs no freeing: a
/// server frees what a client had when the connection ends.
class remote_link {
  public:
    /// Connects and agrees on the protocol.
    ///
    /// Throws `CL_MODEL_LOAD_FAILED` naming the server, or `CL_CANCELLED`.
    remote_link(const server_address & address, const time_limits & limits, const stop_request & stop);
    ~remote_link();
    remote_link(const remote_link &) = delete;
    remote_link & operator=(const remote_link &) = delete;

    /// Sends bytes of a request; small ones wait for more until `flush`. One thread at a time, like `receive`.
    void send(const void * data, size_t size) noexcept;
    void flush() noexcept;
    /// Receives bytes of an answer: first its size (8 bytes), then the whole of it.
    void receive(void * data, size_t size) noexcept;

    bool is_lost() const { return was_lost.load(std::memory_order_acquire); }

    /// Why it is lost, naming the server.
    std::string loss() const;

    /// Looks whether the server ended the connection while nothing was under way; then it is lost. From any thread.
    bool is_there() noexcept;

    const server_facts & facts() const { return learned; }

    /// Those who wait for work of this connection; it is given up early once all of them want to stop.
    void add_waiting(const stop_request & stop);
    void remove_waiting(const stop_request & stop);

    /// Held while graphs are computed: llama.cpp remembers for each server which graph it got last, and mixes up the
    /// graphs of contexts that compute at the same time.
    std::timed_mutex computing;

  private:
    class deadline;

    void greet();
    void ask_facts();
    /// Asks about a device; null asks about the server. The answer is read into `bytes` behind its size.
    void ask(rpc_command command, const uint32_t * device, uint8_t * bytes, size_t count);
    void lose(const char * why, int code = 0) noexcept;
    std::string reason_text() const;
    void write(const uint8_t * bytes, size_t count);
    void read(uint8_t * bytes, size_t count);
    bool wait_for(short events, deadline & until);
    bool are_all_stopping() const;

    const server_address address;
    /// How long to wait for the next byte, and how long once all who wait want to stop.
    std::chrono::milliseconds patience;
    std::chrono::milliseconds grace;
    /// Changed under `mutex`.
    int socket = -1;
    server_facts learned;
    request_reader requests;
    std::vector<uint8_t> outgoing;
    /// Whether the size of the answer that is being received was read.
    bool is_inside_answer = false;
    uint8_t hello_answer[hello_answer_size] = {};
    std::atomic<bool> was_lost{false};
    mutable std::mutex mutex;
    const char * reason = "";
    int reason_code = 0;
    std::vector<stop_request> waiting;
};

}  // namespace cllama
