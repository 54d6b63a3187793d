#include "segmentation.hpp"

#include "guard.hpp"

#include <algorithm>
#include <cctype>

namespace cllama {

namespace {

enum class byte_use : unsigned char { text, token, dropped };

/// The matches inside template text, in the order in which llama.cpp would come upon them.
std::vector<special_match> template_matches(const marked_text & text, const special_index & specials) {
    std::vector<special_match> all;
    for (size_t begin = 0; begin < text.length;) {
        size_t end = begin;
        while (end < text.length && text.is_input[end] == text.is_input[begin]) {
            ++end;
        }
        if (!text.is_input[begin]) {
            const std::vector<special_match> found = specials.matches(text.bytes, begin, end);
            all.insert(all.end(), found.begin(), found.end());
        }
        begin = end;
    }
    std::sort(all.begin(), all.end(), [](const special_match & a, const special_match & b) {
        return a.rank != b.rank ? a.rank < b.rank : a.begin < b.begin;
    });
    return all;
}

class cutter {
  public:
    cutter(const marked_text & text, const special_index & specials)
        : text(text), specials(specials), uses(text.length, byte_use::text) {}

    std::vector<fragment> cut() {
        for (const special_match & match : template_matches(text, specials)) {
            if (is_free(match)) {
                take(match);
            }
        }
        std::sort(taken.begin(), taken.end(), [](const fragment & a, const fragment & b) { return a.begin < b.begin; });
        return assemble();
    }

  private:
    bool is_free(const special_match & match) const {
        return std::all_of(uses.begin() + match.begin, uses.begin() + match.end,
                           [](byte_use use) { return use == byte_use::text; });
    }

    void take(const special_match & match) {
        const special_token & token = specials.tokens()[match.rank];
        std::fill(uses.begin() + match.begin, uses.begin() + match.end, byte_use::token);
        taken.push_back({token.id, match.begin, match.end});
        if (token.strips_left) {
            for (size_t at = match.begin; at > 0 && drops(at - 1); --at) {
                uses[at - 1] = byte_use::dropped;
            }
        }
        if (token.strips_right) {
            for (size_t at = match.end; at < text.length && drops(at); ++at) {
                uses[at] = byte_use::dropped;
            }
        }
    }

    bool drops(size_t at) const {
        return uses[at] == byte_use::text && !text.is_input[at] &&
               std::isspace(static_cast<unsigned char>(text.bytes[at])) != 0;
    }

    std::vector<fragment> assemble() const {
        std::vector<fragment> fragments;
        size_t next = 0;
        for (const fragment & token : taken) {
            append_text(fragments, next, token.begin);
            fragments.push_back(token);
            next = token.end;
        }
        append_text(fragments, next, text.length);
        return fragments;
    }

    /// The text between two tokens; what was dropped there lies beside one of them.
    void append_text(std::vector<fragment> & fragments, size_t begin, size_t end) const {
        while (begin < end && uses[begin] == byte_use::dropped) {
            ++begin;
        }
        while (end > begin && uses[end - 1] == byte_use::dropped) {
            --end;
        }
        if (begin < end) {
            fragments.push_back({-1, begin, end});
        }
    }

    const marked_text & text;
    const special_index & specials;
    std::vector<byte_use> uses;
    std::vector<fragment> taken;
};

}  // namespace

marked_text::marked_text(const char * bytes, size_t length, const cl_segment * segments, size_t segment_count)
    : bytes(bytes), length(length) {
    require(segments != nullptr || segment_count == 0, CL_INVALID_ARGUMENT, "the segments are missing");
    is_input.reserve(length);
    for (size_t index = 0; index < segment_count; ++index) {
        const cl_segment & segment = segments[index];
        require(segment.length <= length - is_input.size(), CL_INVALID_ARGUMENT,
                "the segments are longer than the text");
        is_input.resize(is_input.size() + segment.length, segment.is_input);
    }
    require(is_input.size() == length, CL_INVALID_ARGUMENT, "the segments are shorter than the text");
}

bool marked_text::touches_input(size_t begin, size_t end) const {
    return std::find(is_input.begin() + begin, is_input.begin() + end, true) != is_input.begin() + end;
}

std::vector<fragment> partition(const marked_text & text, const special_index & specials) {
    return cutter(text, specials).cut();
}

}  // namespace cllama
