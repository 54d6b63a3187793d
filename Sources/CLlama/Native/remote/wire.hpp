#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace cllama {

/// The requests of llama.cpp's RPC protocol that are answered, or that this client makes itself.
enum class rpc_command : uint8_t {
    allocate_buffer = 0,
    get_alignment = 1,
    get_maximum_size = 2,
    get_buffer_base = 3,
    set_tensor_hash = 7,
    get_tensor = 8,
    copy_tensor = 9,
    get_device_memory = 11,
    get_allocation_size = 13,
    hello = 14,
    get_device_count = 15
};

/// What a client offers, and what a server agrees to, beyond plain TCP: nothing.
constexpr size_t capabilities_size = 24;

/// A server's answer to `rpc_command::hello`: three numbers, a byte of padding, capabilities.
constexpr size_t hello_answer_size = 4 + capabilities_size;

/// Follows the bytes of requests: the command, the size of what comes (8 bytes), and that.
class request_reader {
  public:
    /// Takes the next bytes that are sent.
    void take(const uint8_t * bytes, size_t count);

    rpc_command command() const { return current; }

    /// Bytes of the answer to the last request.
    uint64_t answer_size() const;

  private:
    void take_size(uint8_t byte);
    size_t take_payload(const uint8_t * bytes, size_t count);

    enum class part { command, size, payload };
    part next = part::command;
    rpc_command current = rpc_command::hello;
    uint64_t remaining = 0;
    size_t size_bytes = 0;
    /// The end of the payload, where a request for a tensor says how much of it.
    std::array<uint8_t, 8> tail{};
};

/// Whether llama.cpp can go on with this answer: it divides by alignments and asserts on addresses.
bool is_usable_answer(rpc_command command, const uint8_t * bytes);

/// Writes an answer that llama.cpp can go on with and that makes no use of the server: no memory, no devices, zeros.
void write_refusal(rpc_command command, uint8_t * bytes, size_t count);

}  // namespace cllama
