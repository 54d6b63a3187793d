#include "encoding.hpp"

#include "guard.hpp"
#include "utf8.hpp"

#include <algorithm>
#include <string>

namespace cllama {

namespace {

/// How far to go to keep the tokeniser from recombining input into a marker.
enum class caution {
    /// Take user-defined markers apart: llama.cpp looks for them in any text.
    user_defined,
    /// Also control tokens: some vocabularies can merge up to their text.
    control,
    /// Spell every marker in bytes.
    bytes,
};

class encoder {
  public:
    encoder(const vocabulary & vocab, const marked_text & text, size_t begin, size_t end)
        : vocab(vocab), text(text), begin(begin), end(end) {}

    std::vector<int32_t> encode() {
        const bool has_input = text.touches_input(begin, end);
        const std::vector<special_match> markers = has_input ? find_markers() : std::vector<special_match>();
        for (const caution level : {caution::user_defined, caution::control, caution::bytes}) {
            tokens.clear();
            encode(markers, level);
            if (markers.empty() || !has_any(markers)) {
                return std::move(tokens);
            }
        }
        throw failure(CL_TOKENIZE_FAILED, "the vocabulary cannot spell a marker without its token");
    }

  private:
    std::vector<special_match> find_markers() const {
        std::vector<special_match> found = vocab.specials().matches(text.bytes, begin, end);
        const auto is_plain = [this](const special_match & match) {
            return !vocab.specials().tokens()[match.rank].is_marker;
        };
        found.erase(std::remove_if(found.begin(), found.end(), is_plain), found.end());
        std::sort(found.begin(), found.end(), [](const special_match & a, const special_match & b) {
            return a.end != b.end ? a.end < b.end : a.begin < b.begin;
        });
        return found;
    }

    /// Whether one of the markers in the text became its token. A marker whose text does not occur is no concern: some
    /// vocabularies use one for text that they do not know.
    bool has_any(const std::vector<special_match> & markers) const {
        return std::any_of(tokens.begin(), tokens.end(), [&](int32_t token) {
            return vocab.is_marker(token) &&
                   std::any_of(markers.begin(), markers.end(), [&](const special_match & marker) {
                       return vocab.specials().tokens()[marker.rank].id == token;
                   });
        });
    }

    void encode(const std::vector<special_match> & markers, caution level) {
        size_t next = begin;
        for (const special_match & marker : markers) {
            const bool is_control = vocab.specials().tokens()[marker.rank].is_control;
            if (is_control && level == caution::user_defined) {
                continue;
            }
            if (level == caution::bytes) {
                if (marker.begin >= next) {
                    encode_run(next, marker.begin);
                    append_bytes(marker.begin, marker.end);
                    next = marker.end;
                }
                continue;
            }
            // Markers come by their ends, so one cut before the last character serves all that overlap there.
            size_t cut = marker.end - 1;
            while (cut > marker.begin && utf8_continues(text.bytes[cut])) {
                --cut;
            }
            if (marker.begin >= next && cut > next) {
                encode_run(next, cut);
                next = cut;
            }
        }
        encode_run(next, end);
    }

    /// Text without cuts: only bytes that are no UTF-8 interrupt it.
    void encode_run(size_t from, size_t to) {
        std::string valid;
        size_t start = from;
        for (size_t at = from; at < to;) {
            const utf8_unit unit = utf8_read(text.bytes + at, to - at);
            if (unit.is_valid || vocab.takes_any_bytes()) {
                valid.append(text.bytes + at, unit.length);
            } else if (has_byte_tokens(at, at + unit.length)) {
                append_text(valid, start);
                append_bytes(at, at + unit.length);
                start = at + unit.length;
            } else {
                valid += "\xEF\xBF\xBD";
            }
            at += unit.length;
        }
        append_text(valid, start);
    }

    void append_text(std::string & valid, size_t start) {
        if (valid.empty()) {
            return;
        }
        std::vector<int32_t> found;
        try {
            found = vocab.tokenize(valid, start != begin);
        } catch (const failure &) {
            throw;
        } catch (const std::exception &) {
            // llama.cpp's own message may quote the text.
            throw failure(CL_TOKENIZE_FAILED, "the vocabulary has no token for a character of the text");
        }
        tokens.insert(tokens.end(), found.begin(), found.end());
        valid.clear();
    }

    bool has_byte_tokens(size_t from, size_t to) const {
        return std::all_of(text.bytes + from, text.bytes + to, [this](char byte) {
            return vocab.byte_token(static_cast<unsigned char>(byte)) >= 0;
        });
    }

    void append_bytes(size_t from, size_t to) {
        require(has_byte_tokens(from, to), CL_TOKENIZE_FAILED,
                "the vocabulary cannot spell a marker without its token");
        for (size_t at = from; at < to; ++at) {
            tokens.push_back(vocab.byte_token(static_cast<unsigned char>(text.bytes[at])));
        }
    }

    const vocabulary & vocab;
    const marked_text & text;
    size_t begin;
    size_t end;
    std::vector<int32_t> tokens;
};

}  // namespace

void encode_text(const vocabulary & vocab, const marked_text & text, size_t begin, size_t end,
                 std::vector<int32_t> & tokens) {
    const std::vector<int32_t> found = encoder(vocab, text, begin, end).encode();
    tokens.insert(tokens.end(), found.begin(), found.end());
}

}  // namespace cllama
