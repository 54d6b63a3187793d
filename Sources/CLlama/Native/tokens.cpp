#include "cl_tokens.h"

#include "encoding.hpp"
#include "guard.hpp"
#include "model.hpp"
#include "segmentation.hpp"

#include <algorithm>

namespace {

/// Longer than any prompt a context can hold; keeps every count inside llama.cpp's 32 bits.
constexpr size_t maximum_length = size_t(256) << 20;

std::vector<int32_t> tokenize(const cllama::vocabulary & vocab, const cllama::marked_text & text) {
    std::vector<int32_t> tokens;
    for (const cllama::fragment & part : cllama::partition(text, vocab.specials())) {
        if (part.token >= 0) {
            tokens.push_back(part.token);
        } else {
            cllama::encode_text(vocab, text, part.begin, part.end, tokens);
        }
    }
    return tokens;
}

}  // namespace

cl_status cl_tokenize(const cl_model * model, const char * bytes, size_t length, const cl_segment * segments,
                      size_t segment_count, int32_t * tokens, size_t capacity, size_t * out_count) noexcept {
    return cllama::guarded(
        [&] {
            using cllama::require;
            require(bytes != nullptr || length == 0, CL_INVALID_ARGUMENT, "the text is missing");
            require(tokens != nullptr || capacity == 0, CL_INVALID_ARGUMENT, "the room for tokens is missing");
            require(length <= maximum_length, CL_LIMIT_EXCEEDED, "the text is longer than 256 MiB");
            require(model->vocab.exists(), CL_TOKENIZE_FAILED, "the model has no vocabulary");
            const cllama::marked_text text(bytes, length, segments, segment_count);
            const std::vector<int32_t> found = tokenize(model->vocab, text);
            std::copy_n(found.begin(), std::min(capacity, found.size()), tokens);
            *out_count = found.size();
        },
        CL_TOKENIZE_FAILED);
}

size_t cl_token_bytes(const cl_model * model, int32_t token, bool renders_special, char * bytes,
                      size_t capacity) noexcept {
    return cllama::guarded_value(size_t(0), [&]() -> size_t {
        if (!model->vocab.contains(token)) {
            return 0;
        }
        char nothing = 0;
        char * const target = bytes ? bytes : &nothing;
        const auto room = static_cast<int32_t>(bytes ? std::min(capacity, size_t(INT32_MAX)) : 0);
        const int32_t written = llama_token_to_piece(model->vocab.raw(), token, target, room, 0, renders_special);
        return static_cast<size_t>(written < 0 ? -written : written);
    });
}

bool cl_token_ends_generation(const cl_model * model, int32_t token) noexcept {
    return cllama::guarded_value(false, [&] {
        return model->vocab.contains(token) && llama_vocab_is_eog(model->vocab.raw(), token);
    });
}

bool cl_token_is_control(const cl_model * model, int32_t token) noexcept {
    return cllama::guarded_value(false, [&] {
        return model->vocab.contains(token) && llama_vocab_is_control(model->vocab.raw(), token);
    });
}

bool cl_token_is_marker(const cl_model * model, int32_t token) noexcept {
    return cllama::guarded_value(false, [&] { return model->vocab.contains(token) && model->vocab.is_marker(token); });
}

int32_t cl_token_special(const cl_model * model, const char * text) noexcept {
    return cllama::guarded_value(int32_t(-1), [&] {
        const cllama::special_token * const found = model->vocab.specials().find(text);
        return found ? found->id : -1;
    });
}
