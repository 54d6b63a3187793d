#pragma once

#include "cl_tokens.h"
#include "special_index.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace cllama {

/// The bytes of a prompt and who wrote them.
struct marked_text {
    const char * bytes;
    size_t length;
    /// One flag per byte: true for text of a user, a model or a tool.
    std::vector<bool> is_input;

    marked_text(const char * bytes, size_t length, const cl_segment * segments, size_t segment_count);

    bool touches_input(size_t begin, size_t end) const;
};

/// A special token, or text that is still to be tokenised.
struct fragment {
    /// The token's id; −1 for text.
    int32_t token;
    size_t begin;
    size_t end;
};

/// Cuts a prompt at the special tokens that lie wholly inside template text.
///
/// Without input this is llama.cpp's own partition: tokens are looked for in order of precedence, each from left to
/// right in what the ones before it have left, and white space that a token strips is dropped. White space of the
/// input is never dropped.
std::vector<fragment> partition(const marked_text & text, const special_index & specials);

}  // namespace cllama
