#include "segments.hpp"

#include "provenance.hpp"

#include <algorithm>

namespace cllama::chat {

namespace {

size_t common_prefix(const std::string & a, const std::string & b) {
    const auto ends = std::mismatch(a.begin(), a.begin() + static_cast<long>(std::min(a.size(), b.size())), b.begin());
    return static_cast<size_t>(ends.first - a.begin());
}

size_t common_suffix(const std::string & a, const std::string & b, size_t limit) {
    size_t length = 0;
    while (length < limit && a[a.size() - 1 - length] == b[b.size() - 1 - length]) {
        ++length;
    }
    return length;
}

/// The first and last bytes that a printed text shares with the prompt.
struct overlap {
    const printed_text * source = nullptr;
    size_t prefix = 0;
    size_t suffix = 0;
};

overlap best_overlap(const std::string & prompt, const std::vector<printed_text> & printed) {
    overlap best;
    for (const auto & candidate : printed) {
        overlap found{&candidate, common_prefix(prompt, candidate.text), 0};
        const size_t rest = std::min(prompt.size(), candidate.text.size()) - found.prefix;
        found.suffix = common_suffix(prompt, candidate.text, rest);
        if (best.source == nullptr || found.prefix + found.suffix > best.prefix + best.suffix) {
            best = found;
        }
    }
    return best;
}

void append_range(marked_text & target, const marked_text & source, size_t begin, size_t end) {
    size_t start = 0;
    for (const auto & part : source) {
        const size_t from = std::max(begin, start);
        const size_t to = std::min(end, start + part.val.size());
        if (from < to) {
            target.push_back({part.is_input, part.val.substr(from - start, to - from)});
        }
        start += part.val.size();
    }
}

}  // namespace

marked_text marked_prompt(const std::string & prompt, const std::vector<printed_text> & printed) {
    const overlap best = best_overlap(prompt, printed);
    marked_text result;
    if (best.source != nullptr) {
        append_range(result, best.source->parts, 0, best.prefix);
    }
    result.push_back({false, prompt.substr(best.prefix, prompt.size() - best.prefix - best.suffix)});
    if (best.source != nullptr) {
        const size_t length = best.source->text.size();
        append_range(result, best.source->parts, length - best.suffix, length);
    }
    return merged(result);
}

void drop_leading(marked_text & text, const std::string & token) {
    if (token.empty() || text.empty() || text.front().is_input || text.front().val.compare(0, token.size(), token)) {
        return;
    }
    text.front().val.erase(0, token.size());
    text = merged(text);
}

void drop_trailing(marked_text & text, const std::string & token) {
    if (token.empty() || text.empty() || text.back().is_input || text.back().val.size() < token.size()) {
        return;
    }
    std::string & last = text.back().val;
    if (last.compare(last.size() - token.size(), token.size(), token) == 0) {
        last.erase(last.size() - token.size());
        text = merged(text);
    }
}

}  // namespace cllama::chat
