#include "device_table.hpp"

#include "guard.hpp"
#include "llama_memory_breakdown.hpp"

#include "ggml.h"

#include <algorithm>

namespace cllama {

namespace {

cl_device_kind kind_of(ggml_backend_dev_t device) {
    switch (ggml_backend_dev_type(device)) {
        case GGML_BACKEND_DEVICE_TYPE_CPU:
        // Libraries that compute in the memory of the host.
        case GGML_BACKEND_DEVICE_TYPE_ACCEL: return CL_DEVICE_HOST;
        case GGML_BACKEND_DEVICE_TYPE_GPU:
        case GGML_BACKEND_DEVICE_TYPE_IGPU: return CL_DEVICE_GPU;
        default: return CL_DEVICE_OTHER;
    }
}

/// 0 when the device gives pieces of any size.
uint64_t maximum_buffer(ggml_backend_dev_t device) {
    const size_t size = ggml_backend_buft_get_max_size(ggml_backend_dev_buffer_type(device));
    return size == SIZE_MAX ? 0 : size;
}

cl_device_memory empty_entry(ggml_backend_dev_t device) {
    size_t free = 0;
    size_t total = 0;
    ggml_backend_dev_memory(device, &free, &total);
    cl_device_memory entry = {};
    entry.name = ggml_backend_dev_name(device);
    entry.kind = kind_of(device);
    entry.total = total;
    entry.free = free;
    entry.maximum_buffer = maximum_buffer(device);
    return entry;
}

}  // namespace

device_table::device_table() {
    const ggml_backend_dev_t host = ggml_backend_dev_by_type(GGML_BACKEND_DEVICE_TYPE_CPU);
    require(host != nullptr, CL_INTERNAL, "llama.cpp has no processor to compute with");
    order.push_back(host);
    entries.push_back(empty_entry(host));
}

cl_device_memory & device_table::entry(ggml_backend_buffer_type_t type) {
    const ggml_backend_dev_t device = ggml_backend_buft_get_device(type);
    // Also memory that GPUs reach: it is the host's.
    if (device == nullptr || ggml_backend_buft_is_host(type) || kind_of(device) == CL_DEVICE_HOST) {
        return entries.front();
    }
    const auto found = std::find(order.begin(), order.end(), device);
    const auto index = static_cast<size_t>(found - order.begin());
    if (found == order.end()) {
        order.push_back(device);
        entries.push_back(empty_entry(device));
    }
    return entries[index];
}

void device_table::add(const llama_context * context) {
    add(context, true);
}

void device_table::add_without_weights(const llama_context * context) {
    add(context, false);
}

void device_table::add(const llama_context * context, bool with_weights) {
    for (const auto & [type, bytes] : llama_get_memory_breakdown(context)) {
        cl_device_memory & device = entry(type);
        device.model += with_weights ? bytes.model : 0;
        device.context += bytes.context;
        device.compute += bytes.compute;
    }
}

void device_table::note_tensors(llama_context * context, uint32_t sequences) {
    ggml_cgraph * graph = nullptr;
    try {
        graph = llama_graph_reserve(context, sequences, sequences, sequences);
    } catch (const std::exception &) {
        // Only what a device gives in one piece stays unchecked.
    }
    for (int index = 0; graph != nullptr && index < ggml_graph_n_nodes(graph); ++index) {
        const ggml_tensor * const node = ggml_graph_node(graph, index);
        note(node);
        for (const ggml_tensor * const source : node->src) {
            if (source != nullptr) {
                note(source);
            }
        }
    }
}

void device_table::note(const ggml_tensor * tensor) {
    const ggml_tensor * const whole = tensor->view_src != nullptr ? tensor->view_src : tensor;
    if (whole->buffer == nullptr || ggml_backend_buffer_get_usage(whole->buffer) == GGML_BACKEND_BUFFER_USAGE_COMPUTE) {
        return;
    }
    const ggml_backend_buffer_type_t type = ggml_backend_buffer_get_type(whole->buffer);
    cl_device_memory & device = entry(type);
    device.largest_tensor =
        std::max<uint64_t>(device.largest_tensor, ggml_backend_buft_get_alloc_size(type, whole));
}

void device_table::write(cl_device_memory * devices, size_t capacity, size_t & count) const {
    count = entries.size();
    if (devices != nullptr) {
        std::copy_n(entries.begin(), std::min(capacity, count), devices);
    }
}

}  // namespace cllama
