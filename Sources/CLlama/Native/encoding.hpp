#pragma once

#include "segmentation.hpp"
#include "vocabulary.hpp"

#include <cstdint>
#include <vector>

namespace cllama {

/// Appends the tokens of `text[begin, end)`, in which no special token is to be recognised.
///
/// Bytes that are no UTF-8 become byte tokens, or U+FFFD where the vocabulary has none.
void encode_text(const vocabulary & vocab, const marked_text & text, size_t begin, size_t end,
                 std::vector<int32_t> & tokens);

}  // namespace cllama
