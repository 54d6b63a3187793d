#include "file_check.hpp"

#include "guard.hpp"
#include "log.hpp"

#include "ggml-cpu.h"
#include "ggml.h"
#include "gguf.h"
#include "llama.h"

#include <cerrno>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <fcntl.h>
#include <memory>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

namespace cllama {

namespace {

/// The grammar engine recurses once for each character of a token; real vocabularies stay below 1 KiB.
constexpr size_t maximum_token_length = 8 << 10;
constexpr uint16_t maximum_splits = 1000;

struct header_deleter {
    void operator()(gguf_context * header) const { gguf_free(header); }
};

using header_pointer = std::unique_ptr<gguf_context, header_deleter>;

[[noreturn]] void refuse(const std::string & reason) {
    throw failure(CL_MODEL_LOAD_FAILED, reason);
}

/// A pipe would block forever, and a directory makes the loader try to allocate its "size".
void check_is_readable(const std::string & path) {
    struct stat info = {};
    if (stat(path.c_str(), &info) != 0) {
        refuse(std::string("the model cannot be opened: ") + std::strerror(errno));
    }
    if (!S_ISREG(info.st_mode)) {
        refuse("the model is no regular file");
    }
    const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) {
        refuse(std::string("the model cannot be read: ") + std::strerror(errno));
    }
    close(descriptor);
}

header_pointer read_header(const std::string & path) {
    log_scope log;
    header_pointer header(gguf_init_from_file(path.c_str(), {/*no_alloc=*/true, /*ctx=*/nullptr}));
    if (!header) {
        refuse(log.reason("the file is no GGUF file"));
    }
    return header;
}

/// Multiplying with a matrix of a type that has no kernel calls a null pointer.
void check_tensor_types(const gguf_context & header) {
    for (int64_t index = 0; index < gguf_get_n_tensors(&header); ++index) {
        const ggml_type type = gguf_get_tensor_type(&header, index);
        const std::string name = gguf_get_tensor_name(&header, index);
        const bool has_kernel = ggml_get_type_traits_cpu(type)->vec_dot != nullptr;
        const bool is_table_of_ids = type == GGML_TYPE_I32 && name.find("tid2eid") != std::string::npos;
        if (!has_kernel && !is_table_of_ids) {
            refuse("the tensor '" + name + "' has the type " + ggml_type_name(type) + ", which no model can use");
        }
    }
}

/// Normalisation asserts that its epsilon is not negative.
void check_epsilons(const gguf_context & header) {
    for (int64_t index = 0; index < gguf_get_n_kv(&header); ++index) {
        const std::string key = gguf_get_key(&header, index);
        if (gguf_get_kv_type(&header, index) == GGUF_TYPE_FLOAT32 && key.find("epsilon") != std::string::npos) {
            const float value = gguf_get_val_f32(&header, index);
            if (!std::isfinite(value) || value < 0) {
                refuse("'" + key + "' is negative or no number");
            }
        }
    }
}

void check_tokens(const gguf_context & header) {
    const int64_t key = gguf_find_key(&header, "tokenizer.ggml.tokens");
    if (key < 0 || gguf_get_kv_type(&header, key) != GGUF_TYPE_ARRAY ||
        gguf_get_arr_type(&header, key) != GGUF_TYPE_STRING) {
        return;
    }
    const size_t count = gguf_get_arr_n(&header, key);
    for (size_t index = 0; index < count; ++index) {
        if (std::strlen(gguf_get_arr_str(&header, key, index)) > maximum_token_length) {
            refuse("a token of the vocabulary is longer than 8 KiB");
        }
    }
}

uint16_t split_count(const gguf_context & header) {
    const int64_t key = gguf_find_key(&header, "split.count");
    const bool is_split = key >= 0 && gguf_get_kv_type(&header, key) == GGUF_TYPE_UINT16;
    return is_split ? gguf_get_val_u16(&header, key) : 1;
}

/// llama.cpp opens the other parts of a set by itself, under names that follow from the first part's.
void check_other_parts(const std::string & path, uint16_t count) {
    if (count > maximum_splits) {
        refuse("the model has more than 1000 parts");
    }
    std::vector<char> prefix(path.size() + 1);
    if (llama_split_prefix(prefix.data(), prefix.size(), path.c_str(), 0, count) <= 0) {
        return;
    }
    for (uint16_t index = 1; index < count; ++index) {
        std::vector<char> part(path.size() + 32);
        llama_split_path(part.data(), part.size(), prefix.data(), index, count);
        check_is_readable(part.data());
        check_tensor_types(*read_header(part.data()));
    }
}

}  // namespace

void check_file(const std::string & path) {
    require(!path.empty(), CL_INVALID_ARGUMENT, "the path of the model is empty");
    check_is_readable(path);
    const header_pointer header = read_header(path);
    check_tensor_types(*header);
    check_epsilons(*header);
    check_tokens(*header);
    check_other_parts(path, split_count(*header));
}

}  // namespace cllama
