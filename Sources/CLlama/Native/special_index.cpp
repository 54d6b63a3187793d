#include "special_index.hpp"

namespace cllama {

namespace {

uint64_t edge_key(uint32_t node, char byte) {
    return static_cast<uint64_t>(node) << 8 | static_cast<unsigned char>(byte);
}

}  // namespace

special_index::special_index(std::vector<special_token> tokens) : ordered(std::move(tokens)), ranks{no_rank} {
    for (size_t rank = 0; rank < ordered.size(); ++rank) {
        uint32_t node = 0;
        for (const char byte : ordered[rank].text) {
            const auto inserted = edges.emplace(edge_key(node, byte), static_cast<uint32_t>(ranks.size()));
            if (inserted.second) {
                ranks.push_back(no_rank);
            }
            node = inserted.first->second;
        }
        // Of equal texts the first keeps the place: it takes every occurrence.
        if (node != 0 && ranks[node] == no_rank) {
            ranks[node] = static_cast<uint32_t>(rank);
        }
    }
}

std::vector<special_match> special_index::matches(const char * text, size_t begin, size_t end) const {
    std::vector<special_match> found;
    for (size_t start = begin; start < end; ++start) {
        uint32_t node = 0;
        for (size_t at = start; at < end; ++at) {
            const auto edge = edges.find(edge_key(node, text[at]));
            if (edge == edges.end()) {
                break;
            }
            node = edge->second;
            if (ranks[node] != no_rank) {
                found.push_back({ranks[node], start, at + 1});
            }
        }
    }
    return found;
}

const special_token * special_index::find(const std::string & text) const {
    uint32_t node = 0;
    for (const char byte : text) {
        const auto edge = edges.find(edge_key(node, byte));
        if (edge == edges.end()) {
            return nullptr;
        }
        node = edge->second;
    }
    return ranks.empty() || ranks[node] == no_rank ? nullptr : &ordered[ranks[node]];
}

}  // namespace cllama
