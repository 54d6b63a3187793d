#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace cllama {

/// A token that llama.cpp recognises by its text before anything else is tokenised.
struct special_token {
    int32_t id;
    std::string text;
    /// White space beside the token belongs to it.
    bool strips_left;
    bool strips_right;
    bool is_control;
    /// Its appearance in a prompt means something beyond its characters. False for tokens that a user can only hit by
    /// writing ordinary text: runs of white space and single characters.
    bool is_marker;
};

/// One occurrence of a special token.
struct special_match {
    /// The token's place in the index; lower ranks win.
    size_t rank;
    size_t begin;
    size_t end;
};

/// Finds special tokens in text in one pass.
class special_index {
  public:
    special_index() = default;

    /// `tokens` in order of precedence.
    explicit special_index(std::vector<special_token> tokens);

    const std::vector<special_token> & tokens() const { return ordered; }

    /// Every occurrence within `text[begin, end)`, by start and then by length.
    std::vector<special_match> matches(const char * text, size_t begin, size_t end) const;

    /// The token with exactly this text, or NULL.
    const special_token * find(const std::string & text) const;

  private:
    static constexpr uint32_t no_rank = UINT32_MAX;

    std::vector<special_token> ordered;
    /// A trie: `edges` maps (node << 8 | byte) to a node, `ranks` says which token ends there.
    std::unordered_map<uint64_t, uint32_t> edges;
    std::vector<uint32_t> ranks;
};

}  // namespace cllama
