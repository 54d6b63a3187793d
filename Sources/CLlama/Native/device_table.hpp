#pragma once

#include "cl_measure.h"

#include "ggml-backend.h"
#include "llama.h"

#include <vector>

namespace cllama {

/// Bytes by device, the host first.
class device_table {
  public:
    device_table();

    /// Adds what a context holds, and what its weights do.
    void add(const llama_context * context);

    /// Adds what a context holds whose weights are counted already.
    void add_without_weights(const llama_context * context);

    /// Notes the largest tensors that lie on the devices, by the graph of a context that computes one token for each
    /// of so many sequences.
    ///
    /// Where llama.cpp cannot make that graph, nothing is noted.
    void note_tensors(llama_context * context, uint32_t sequences);

    void write(cl_device_memory * devices, size_t capacity, size_t & count) const;

  private:
    /// The entry of the device that memory of this type is taken from.
    cl_device_memory & entry(ggml_backend_buffer_type_t type);
    void add(const llama_context * context, bool with_weights);
    void note(const ggml_tensor * tensor);

    std::vector<ggml_backend_dev_t> order;
    std::vector<cl_device_memory> entries;
};

}  // namespace cllama
