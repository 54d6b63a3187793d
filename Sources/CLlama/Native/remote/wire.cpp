#include "wire.hpp"

#include "ggml-rpc.h"

#include <algorithm>
#include <cstring>

// What is known here about requests and answers has to be compared with ggml-rpc.cpp again.
static_assert(RPC_PROTO_MAJOR_VERSION == 7 && RPC_PROTO_MINOR_VERSION == 0, "the RPC protocol has changed");

namespace cllama {

namespace {

/// Any that llama.cpp's backends have, so that what is measured with it can be laid out.
constexpr uint64_t refusal_alignment = 128;

/// llama.cpp makes an object of each.
constexpr uint32_t most_devices = 64;

template <class Number = uint64_t>
Number number(const uint8_t * bytes) {
    Number value = 0;
    std::memcpy(&value, bytes, sizeof(value));
    return value;
}

void write_number(uint8_t * bytes, size_t count, uint64_t value) {
    std::memcpy(bytes, &value, std::min(count, sizeof(value)));
}

}  // namespace

void request_reader::take(const uint8_t * bytes, size_t count) {
    while (count > 0) {
        size_t taken = 1;
        switch (next) {
            case part::command:
                current = static_cast<rpc_command>(*bytes);
                remaining = 0;
                size_bytes = 0;
                next = part::size;
                break;
            case part::size: take_size(*bytes); break;
            case part::payload: taken = take_payload(bytes, count); break;
        }
        bytes += taken;
        count -= taken;
    }
}

void request_reader::take_size(uint8_t byte) {
    remaining |= uint64_t(byte) << (8 * size_bytes);
    ++size_bytes;
    if (size_bytes == sizeof(remaining)) {
        next = remaining > 0 ? part::payload : part::command;
    }
}

size_t request_reader::take_payload(const uint8_t * bytes, size_t count) {
    const size_t taken = static_cast<size_t>(std::min<uint64_t>(count, remaining));
    const size_t kept = std::min(taken, tail.size());
    std::move(tail.begin() + static_cast<ptrdiff_t>(kept), tail.end(), tail.begin());
    std::copy(bytes + taken - kept, bytes + taken, tail.end() - static_cast<ptrdiff_t>(kept));
    remaining -= taken;
    if (remaining == 0) {
        next = part::command;
    }
    return taken;
}

uint64_t request_reader::answer_size() const {
    switch (current) {
        case rpc_command::allocate_buffer: return 16;
        case rpc_command::get_alignment: return 8;
        case rpc_command::get_maximum_size: return 8;
        case rpc_command::get_buffer_base: return 8;
        case rpc_command::set_tensor_hash: return 1;
        case rpc_command::get_tensor: return number(tail.data());
        case rpc_command::copy_tensor: return 1;
        case rpc_command::get_device_memory: return 16;
        case rpc_command::get_allocation_size: return 8;
        case rpc_command::hello: return hello_answer_size;
        case rpc_command::get_device_count: return 4;
    }
    return 0;
}

bool is_usable_answer(rpc_command command, const uint8_t * bytes) {
    switch (command) {
        case rpc_command::get_alignment: {
            const uint64_t alignment = number(bytes);
            return alignment > 0 && (alignment & (alignment - 1)) == 0;
        }
        case rpc_command::get_maximum_size: return number(bytes) > 0;
        case rpc_command::get_buffer_base: return number(bytes) != 0;
        case rpc_command::get_device_count:
            return number<uint32_t>(bytes) > 0 && number<uint32_t>(bytes) <= most_devices;
        default: return true;
    }
}

void write_refusal(rpc_command command, uint8_t * bytes, size_t count) {
    std::fill_n(bytes, count, uint8_t(0));
    switch (command) {
        case rpc_command::get_alignment: write_number(bytes, count, refusal_alignment); break;
        case rpc_command::get_maximum_size: write_number(bytes, count, SIZE_MAX); break;
        case rpc_command::get_buffer_base: write_number(bytes, count, refusal_alignment); break;
        default: break;
    }
}

}  // namespace cllama
