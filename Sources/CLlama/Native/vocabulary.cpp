#include "vocabulary.hpp"

#include "guard.hpp"
#include "large_stack.hpp"
#include "utf8.hpp"

#include <algorithm>
#include <cctype>
#include <cstring>

namespace cllama {

namespace {

/// Whether a user-defined token with this text is a marker and not just a frequent piece of plain text.
bool reads_as_marker(const std::string & text) {
    bool only_space = true;
    size_t characters = 0;
    for (const char byte : text) {
        characters += utf8_continues(byte) ? 0 : 1;
        only_space = only_space && std::isspace(static_cast<unsigned char>(byte)) != 0;
    }
    // SentencePiece writes a space as U+2581.
    const char space[] = "\xE2\x96\x81";
    std::string rest = text;
    for (size_t at = rest.find(space); at != std::string::npos; at = rest.find(space)) {
        rest.erase(at, sizeof(space) - 1);
    }
    return characters > 1 && !only_space && !rest.empty();
}

/// The character by which byte-level BPE vocabularies spell a byte: printable bytes spell themselves, the others
/// follow from U+0100 on.
std::string byte_spelling(int byte) {
    const auto is_printable = [](int b) { return (b >= 33 && b <= 126) || (b >= 161 && b <= 172) || b >= 174; };
    int code = byte;
    if (!is_printable(byte)) {
        code = 256;
        for (int other = 0; other < byte; ++other) {
            code += is_printable(other) ? 0 : 1;
        }
    }
    if (code < 0x80) {
        return std::string(1, static_cast<char>(code));
    }
    return {static_cast<char>(0xC0 | code >> 6), static_cast<char>(0x80 | (code & 0x3F))};
}

bool is_space(char byte) {
    return byte == ' ' || (byte >= '\t' && byte <= '\r');
}

/// Where the first run of only white space or of no white space ends that is longer than `limit`; else the text's end.
size_t end_of_long_run(const std::string & text, size_t start, size_t limit) {
    size_t run = start;
    for (size_t at = start; at < text.size(); ++at) {
        if (is_space(text[at]) != is_space(text[run])) {
            run = at;
        }
        if (at - run >= limit && !utf8_continues(text[at])) {
            return at;
        }
    }
    return text.size();
}

/// The byte that a byte-fallback token such as "<0x0A>" stands for, or −1.
int fallback_byte(const char * text) {
    if (std::strlen(text) != 6 || std::strncmp(text, "<0x", 3) != 0 || text[5] != '>') {
        return -1;
    }
    const std::string digits(text + 3, 2);
    const char * const hex = "0123456789ABCDEF";
    const char * const high = std::strchr(hex, digits[0]);
    const char * const low = std::strchr(hex, digits[1]);
    return high && low ? static_cast<int>((high - hex) * 16 + (low - hex)) : -1;
}

}  // namespace

vocabulary::vocabulary(const llama_vocab * vocab)
    : vocab(vocab), type(llama_vocab_type(vocab)), count(llama_vocab_n_tokens(vocab)) {
    byte_tokens.fill(-1);
    if (exists()) {
        markers.resize(static_cast<size_t>(count));
        read_specials();
        read_byte_tokens();
        choose_lead();
    }
}

void vocabulary::read_specials() {
    std::vector<special_token> tokens;
    for (int32_t id = 0; id < count; ++id) {
        const int attributes = llama_vocab_get_attr(vocab, id);
        const bool is_control = (attributes & LLAMA_TOKEN_ATTR_CONTROL) != 0;
        const bool is_user_defined = (attributes & LLAMA_TOKEN_ATTR_USER_DEFINED) != 0;
        if (!is_control && !is_user_defined && (attributes & LLAMA_TOKEN_ATTR_UNKNOWN) == 0) {
            continue;
        }
        std::string text = llama_vocab_get_text(vocab, id);
        const bool is_marker = is_control || (is_user_defined && reads_as_marker(text));
        markers[static_cast<size_t>(id)] = is_marker;
        tokens.push_back({id, std::move(text), (attributes & LLAMA_TOKEN_ATTR_LSTRIP) != 0,
                          (attributes & LLAMA_TOKEN_ATTR_RSTRIP) != 0, is_control, is_marker});
    }
    // The same sort on the same list as in llama.cpp, so that tokens of equal length come out in its order too.
    std::sort(tokens.begin(), tokens.end(), [](const special_token & a, const special_token & b) {
        return a.text.size() > b.text.size();
    });
    index = special_index(std::move(tokens));
}

void vocabulary::read_byte_tokens() {
    bool has_fallback = false;
    for (int32_t id = 0; id < count; ++id) {
        if ((llama_vocab_get_attr(vocab, id) & LLAMA_TOKEN_ATTR_BYTE) != 0) {
            const int byte = fallback_byte(llama_vocab_get_text(vocab, id));
            if (byte >= 0) {
                byte_tokens[static_cast<size_t>(byte)] = id;
                has_fallback = true;
            }
        }
    }
    if (has_fallback || type != LLAMA_VOCAB_TYPE_BPE) {
        return;
    }
    std::unordered_map<std::string, int> bytes;
    for (int byte = 0; byte < 256; ++byte) {
        bytes.emplace(byte_spelling(byte), byte);
    }
    for (int32_t id = 0; id < count; ++id) {
        const auto byte = bytes.find(llama_vocab_get_text(vocab, id));
        if (byte != bytes.end() && !is_marker(id)) {
            byte_tokens[static_cast<size_t>(byte->second)] = id;
        }
    }
}

/// Only SentencePiece puts a space before each text. To tokenise the middle of a prompt, text is put behind a
/// character that no token contains, which therefore never merges with it, and that character's tokens are dropped.
void vocabulary::choose_lead() {
    if (type != LLAMA_VOCAB_TYPE_SPM) {
        return;
    }
    for (const char * candidate : {"\xEE\x80\x80", "\xEE\x80\x81", "\xEF\xA3\xBF", "\x01", "\x02"}) {
        bool is_used = false;
        for (int32_t id = 0; id < count && !is_used; ++id) {
            is_used = std::strstr(llama_vocab_get_text(vocab, id), candidate) != nullptr;
        }
        if (is_used) {
            continue;
        }
        try {
            lead_tokens = tokenize_plain(candidate);
            lead = candidate;
            return;
        } catch (const std::exception &) {
            // No byte tokens for this character: try the next one.
        }
    }
}

std::vector<int32_t> vocabulary::tokenize_plain(const std::string & text) const {
    std::vector<int32_t> tokens(text.size() + 8);
    const auto length = static_cast<int32_t>(text.size());
    const auto run = [&] {
        return llama_tokenize(vocab, text.data(), length, tokens.data(), static_cast<int32_t>(tokens.size()), false,
                              false);
    };
    int32_t written = run();
    if (written < 0 && written != INT32_MIN) {
        tokens.resize(static_cast<size_t>(-written));
        written = run();
    }
    require(written >= 0, CL_TOKENIZE_FAILED, "llama.cpp gave too many tokens");
    tokens.resize(static_cast<size_t>(written));
    return tokens;
}

/// Several byte-pair vocabularies cut text with `std::regex`, which recurses once for each character of a match: about
/// 400 bytes of stack. Long runs get a stack of their own, and longer ones than that are cut.
std::vector<int32_t> vocabulary::tokenize_safely(const std::string & text) const {
    constexpr size_t harmless_run = 300;
    constexpr size_t longest_run = 100'000;
    if (type != LLAMA_VOCAB_TYPE_BPE || end_of_long_run(text, 0, harmless_run) == text.size()) {
        return tokenize_plain(text);
    }
    std::vector<int32_t> tokens;
    on_large_stack([&] {
        for (size_t start = 0; start < text.size();) {
            const size_t end = end_of_long_run(text, start, longest_run);
            const std::vector<int32_t> part = tokenize_plain(text.substr(start, end - start));
            tokens.insert(tokens.end(), part.begin(), part.end());
            start = end;
        }
    });
    return tokens;
}

std::vector<int32_t> vocabulary::tokenize(const std::string & text, bool continues) const {
    if (!continues || lead.empty()) {
        return tokenize_safely(text);
    }
    std::vector<int32_t> tokens = tokenize_plain(lead + text);
    const bool starts_with_lead =
        tokens.size() >= lead_tokens.size() && std::equal(lead_tokens.begin(), lead_tokens.end(), tokens.begin());
    require(starts_with_lead, CL_TOKENIZE_FAILED, "the vocabulary joins text that does not belong together");
    tokens.erase(tokens.begin(), tokens.begin() + static_cast<std::ptrdiff_t>(lead_tokens.size()));
    return tokens;
}

}  // namespace cllama
