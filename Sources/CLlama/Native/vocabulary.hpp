#pragma once

#include "special_index.hpp"

#include "llama.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace cllama {

/// What tokenising with segments needs to know of a vocabulary. Immutable after construction.
class vocabulary {
  public:
    explicit vocabulary(const llama_vocab * vocab);

    /// False when the file holds no vocabulary; most functions of llama.cpp abort on it then.
    bool exists() const { return type != LLAMA_VOCAB_TYPE_NONE; }

    /// Also when there are no texts: the number of logits.
    int32_t size() const { return count; }

    bool contains(int32_t token) const { return exists() && token >= 0 && token < count; }

    const llama_vocab * raw() const { return vocab; }
    const special_index & specials() const { return index; }

    /// Whether input text must not yield this token.
    bool is_marker(int32_t token) const { return markers[static_cast<size_t>(token)]; }

    /// The token that stands for one byte, or −1.
    int32_t byte_token(unsigned char byte) const { return byte_tokens[byte]; }

    /// Whether the tokeniser takes any bytes as they are, valid UTF-8 or not.
    bool takes_any_bytes() const { return type == LLAMA_VOCAB_TYPE_RWKV; }

    /// Tokens of `text` as llama.cpp gives them without special tokens. `continues`: as text in the middle of a
    /// prompt, before which no space may be added.
    std::vector<int32_t> tokenize(const std::string & text, bool continues) const;

  private:
    void read_specials();
    void read_byte_tokens();
    void choose_lead();
    std::vector<int32_t> tokenize_plain(const std::string & text) const;
    std::vector<int32_t> tokenize_safely(const std::string & text) const;

    const llama_vocab * vocab;
    enum llama_vocab_type type;
    int32_t count;
    special_index index;
    std::vector<bool> markers;
    std::array<int32_t, 256> byte_tokens;
    /// Text that never joins what follows it, and its tokens. Empty when no space is ever added.
    std::string lead;
    std::vector<int32_t> lead_tokens;
};

}  // namespace cllama
