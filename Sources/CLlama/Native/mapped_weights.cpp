#include "mapped_weights.hpp"

#if defined(__linux__)

#include "ggml.h"

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <fstream>
#include <string>
#include <sys/mman.h>
#include <unistd.h>
#include <utility>
#include <vector>

// llama.cpp exports this function, but keeps its declaration to itself.
const std::vector<std::pair<std::string, ggml_tensor *>> & llama_internal_get_tensor_map(const llama_model * model);

namespace {

/// Addresses from `start` up to `end`.
struct span {
    uintptr_t start;
    uintptr_t end;
};

/// Where the weights lie that the model computes with, in order.
std::vector<span> weight_spans(const llama_model * model) {
    std::vector<span> spans;
    for (const auto & [name, tensor] : llama_internal_get_tensor_map(model)) {
        const auto start = reinterpret_cast<uintptr_t>(tensor->data);
        if (start != 0) {
            spans.push_back({start, start + ggml_nbytes(tensor)});
        }
    }
    std::sort(spans.begin(), spans.end(), [](const span & one, const span & other) { return one.start < other.start; });
    return spans;
}

/// The parts of this process's memory that show a file and cannot be written to.
std::vector<span> file_mappings() {
    std::vector<span> mappings;
    std::ifstream lines("/proc/self/maps");
    for (std::string line; std::getline(lines, line);) {
        span mapping = {0, 0};
        char access[5] = "";
        unsigned long long inode = 0;
        const int fields = std::sscanf(line.c_str(), "%" SCNxPTR "-%" SCNxPTR " %4s %*s %*s %llu", &mapping.start,
                                       &mapping.end, access, &inode);
        if (fields == 4 && inode != 0 && access[0] == 'r' && access[1] == '-') {
            mappings.push_back(mapping);
        }
    }
    return mappings;
}

/// Releases the whole pages within a span, and keeps them released.
///
/// Newer kernels cache files in large pieces and map a whole piece when one page of it is read, so the small weights
/// between those that were copied would bring them back. A piece is not mapped beyond memory with other settings.
void release(span unused, uintptr_t page_size) {
    const uintptr_t start = (unused.start + page_size - 1) / page_size * page_size;
    const uintptr_t end = unused.end / page_size * page_size;
    if (start < end) {
        madvise(reinterpret_cast<void *>(start), end - start, MADV_DONTNEED);
        madvise(reinterpret_cast<void *>(start), end - start, MADV_NOHUGEPAGE);
    }
}

/// Releases what lies between the weights of one mapping; a mapping without any is not the model's.
void release_gaps(span mapping, const std::vector<span> & weights, uintptr_t page_size) {
    uintptr_t used_until = mapping.start;
    bool is_weights_file = false;
    for (const span & weight : weights) {
        if (weight.start < mapping.start || weight.end > mapping.end) {
            continue;
        }
        is_weights_file = true;
        release({used_until, weight.start}, page_size);
        used_until = std::max(used_until, weight.end);
    }
    if (is_weights_file) {
        release({used_until, mapping.end}, page_size);
    }
}

}  // namespace

void cllama::release_copied_weights(const llama_model * model) {
    const auto page_size = static_cast<uintptr_t>(sysconf(_SC_PAGESIZE));
    const std::vector<span> weights = weight_spans(model);
    for (const span & mapping : file_mappings()) {
        release_gaps(mapping, weights, page_size);
    }
}

#else

void cllama::release_copied_weights(const llama_model *) {}

#endif
