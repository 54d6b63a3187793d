#include "gbnf.hpp"

#include "guard.hpp"
#include "utf8.hpp"

#include <algorithm>

namespace cllama {

namespace {

constexpr size_t maximum_length = size_t(256) << 10;
constexpr int maximum_nesting = 256;
/// llama.cpp's own limit on repetitions, alone and multiplied with what is repeated.
constexpr uint64_t maximum_repetitions = 2000;
/// Elements that llama.cpp's form of the grammar may have: 8 MB.
constexpr size_t maximum_elements = 1'000'000;
constexpr uint64_t no_maximum = UINT64_MAX;

bool is_digit(char c) {
    return '0' <= c && c <= '9';
}

bool is_word(char c) {
    return ('a' <= c && c <= 'z') || ('A' <= c && c <= 'Z') || c == '-' || is_digit(c);
}

/// The items since the last symbol began, which a repetition applies to.
struct last_symbol {
    gbnf_sequence items;
    /// Elements that the items take in llama.cpp's form.
    size_t elements = 0;
    /// Rules that repeating the symbol would repeat.
    uint64_t rules = 1;
};

class parser {
  public:
    parser(const std::string & text, const vocabulary * vocab) : text(text), vocab(vocab) {}

    gbnf parse() {
        skip_space(true);
        while (!at_end()) {
            parse_rule();
        }
        return std::move(grammar);
    }

  private:
    char peek(size_t ahead = 0) const { return at + ahead < text.size() ? text[at + ahead] : '\0'; }
    bool at_end() const { return at >= text.size(); }

    [[noreturn]] void refuse(const std::string & reason) const {
        const auto line = 1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n');
        throw failure(CL_GRAMMAR_INVALID, "line " + std::to_string(line) + " of the grammar" + place() + ": " + reason);
    }

    [[noreturn]] void refuse_size(const std::string & reason) const {
        throw failure(CL_LIMIT_EXCEEDED, "the grammar" + place() + ": " + reason);
    }

    /// The rule that is being read.
    std::string place() const { return grammar.rules.empty() ? "" : ", in its rule " + grammar.name_of(current); }

    void skip_space(bool crosses_lines) {
        for (; !at_end(); ++at) {
            const char c = peek();
            if (c == '#') {
                while (!at_end() && peek(1) != '\r' && peek(1) != '\n' && at + 1 < text.size()) {
                    ++at;
                }
            } else if (c != ' ' && c != '\t' && !(crosses_lines && (c == '\r' || c == '\n'))) {
                return;
            }
        }
    }

    std::string parse_name() {
        const size_t start = at;
        while (is_word(peek())) {
            ++at;
        }
        if (at == start) {
            refuse("a rule name is missing");
        }
        return text.substr(start, at - start);
    }

    uint32_t rule_number(const std::string & name) {
        const auto inserted = grammar.names.emplace(name, static_cast<uint32_t>(grammar.rules.size()));
        if (inserted.second) {
            add_rule(inserted.first->second, false);
        }
        return inserted.first->second;
    }

    uint32_t new_rule(bool repeats = false) {
        add_rule(current, repeats);
        return static_cast<uint32_t>(grammar.rules.size() - 1);
    }

    void add_rule(uint32_t owner, bool repeats) {
        grammar.rules.emplace_back();
        grammar.owners.push_back(owner);
        grammar.repeats.push_back(repeats);
    }

    void count_elements(size_t count) {
        elements += count;
        if (elements > maximum_elements) {
            refuse_size("repetitions make it too large");
        }
    }

    void parse_rule() {
        const uint32_t rule = rule_number(parse_name());
        current = rule;
        skip_space(false);
        if (text.compare(at, 3, "::=") != 0) {
            refuse("\"::=\" is missing");
        }
        at += 3;
        skip_space(true);
        parse_alternatives(rule, 0);
        if (peek() == '\r') {
            at += peek(1) == '\n' ? 2 : 1;
        } else if (peek() == '\n') {
            ++at;
        } else if (!at_end()) {
            refuse("a line break is missing after the rule");
        }
        skip_space(true);
    }

    void parse_alternatives(uint32_t rule, int nesting) {
        gbnf_rule alternatives{parse_sequence(nesting)};
        while (peek() == '|') {
            ++at;
            skip_space(true);
            alternatives.push_back(parse_sequence(nesting));
        }
        count_elements(alternatives.size());
        grammar.rules[rule] = std::move(alternatives);
    }

    gbnf_sequence parse_sequence(int nesting) {
        gbnf_sequence sequence;
        last_symbol last;
        const auto begin_symbol = [&](last_symbol symbol) {
            sequence.insert(sequence.end(), last.items.begin(), last.items.end());
            last = std::move(symbol);
            count_elements(last.elements);
            skip_space(nesting > 0);
        };
        while (!at_end()) {
            const char c = peek();
            if (c == '"') {
                begin_symbol(terminals(parse_literal()));
            } else if (c == '[') {
                begin_symbol(terminals(parse_class()));
            } else if (c == '.') {
                ++at;
                begin_symbol(terminals(1));
            } else if (c == '<' || c == '!') {
                parse_token();
                begin_symbol(terminals(1));
            } else if (is_word(c)) {
                begin_symbol({{{rule_number(parse_name())}}, 1, 1});
            } else if (c == '(') {
                begin_symbol(parse_group(nesting));
            } else if (c == '*' || c == '+' || c == '?' || c == '{') {
                parse_repetition(last, nesting);
            } else {
                break;
            }
        }
        sequence.insert(sequence.end(), last.items.begin(), last.items.end());
        return sequence;
    }

    static last_symbol terminals(size_t count) {
        last_symbol symbol;
        if (count > 0) {
            symbol.items.push_back({gbnf_item::terminal});
        }
        symbol.elements = count;
        return symbol;
    }

    last_symbol parse_group(int nesting) {
        if (nesting == maximum_nesting) {
            refuse_size("groups are nested too deeply");
        }
        ++at;
        skip_space(true);
        const size_t rules_before = grammar.rules.size();
        const uint32_t rule = new_rule();
        parse_alternatives(rule, nesting + 1);
        if (peek() != ')') {
            refuse("\")\" is missing");
        }
        ++at;
        return {{{rule}}, 1, grammar.rules.size() - rules_before};
    }

    void parse_repetition(last_symbol & last, int nesting) {
        const char kind = peek();
        uint64_t minimum = kind == '+' ? 1 : 0;
        uint64_t maximum = kind == '?' ? 1 : no_maximum;
        ++at;
        skip_space(nesting > 0);
        if (kind == '{') {
            parse_bounds(minimum, maximum, nesting);
        }
        if (last.elements == 0) {
            refuse("there is nothing to repeat");
        }
        repeat(last, minimum, maximum);
    }

    void parse_bounds(uint64_t & minimum, uint64_t & maximum, int nesting) {
        minimum = parse_number();
        maximum = minimum;
        skip_space(nesting > 0);
        if (peek() == ',') {
            ++at;
            skip_space(nesting > 0);
            maximum = no_maximum;
            if (is_digit(peek())) {
                maximum = parse_number();
                skip_space(nesting > 0);
            }
        }
        if (peek() != '}') {
            refuse("\"}\" is missing");
        }
        ++at;
        skip_space(nesting > 0);
        if (minimum > maximum_repetitions) {
            refuse("a repetition is asked for more than 2000 times");
        }
        if (maximum < minimum) {
            refuse("a repetition's upper bound is below its lower bound");
        }
        // As llama.cpp has it: too large a bound is none.
        maximum = maximum > maximum_repetitions ? no_maximum : maximum;
    }

    uint64_t parse_number() {
        const size_t start = at;
        while (is_digit(peek())) {
            ++at;
        }
        if (at == start || at - start > 18) {
            refuse("a number is missing or too large");
        }
        return std::stoull(text.substr(start, at - start));
    }

    /// S{m,n} becomes m times S and a chain of n − m optional ones, S{m,} ends in a rule that refers to itself.
    void repeat(last_symbol & last, uint64_t minimum, uint64_t maximum) {
        const bool is_open = maximum == no_maximum;
        const uint64_t factor = !is_open && maximum > 0 ? maximum : std::max<uint64_t>(minimum, 1);
        if (last.rules * factor > maximum_repetitions) {
            refuse("the repetitions multiply to more than 2000");
        }
        const gbnf_sequence unit = last.items;
        const size_t unit_elements = last.elements;
        const uint64_t optional = is_open ? 1 : maximum - minimum;
        count_elements(unit_elements * minimum + optional * (unit_elements + 3));
        last.items.clear();
        for (uint64_t index = 0; index < minimum; ++index) {
            last.items.insert(last.items.end(), unit.begin(), unit.end());
        }
        uint32_t tail = 0;
        for (uint64_t index = 0; index < optional; ++index) {
            const uint32_t rule = new_rule(is_open);
            gbnf_sequence taken = unit;
            if (index > 0 || is_open) {
                taken.push_back({is_open ? rule : tail});
            }
            grammar.rules[rule] = {std::move(taken), {}};
            tail = rule;
        }
        if (optional > 0) {
            last.items.push_back({tail});
        }
        last.elements = unit_elements * minimum + (optional > 0 ? 1 : 0);
        last.rules *= factor;
    }

    /// Returns the number of characters.
    size_t parse_literal() {
        ++at;
        size_t count = 0;
        while (peek() != '"') {
            grammar.literals += parse_character();
            ++count;
        }
        ++at;
        grammar.literals += '\0';
        return count;
    }

    /// Returns the number of elements: each bound of a range is one.
    size_t parse_class() {
        ++at;
        if (peek() == '^') {
            ++at;
        }
        size_t count = 0;
        while (peek() != ']') {
            parse_character();
            ++count;
            if (peek() == '-' && peek(1) != ']') {
                ++at;
                parse_character();
                ++count;
            }
        }
        ++at;
        return count;
    }

    /// Returns the bytes of the character; of an escaped code point only when it is ASCII, as no token text needs more.
    std::string parse_character() {
        if (at_end()) {
            refuse("a literal or a character class does not end");
        }
        if (peek() != '\\') {
            const size_t length = utf8_read(text.data() + at, text.size() - at).length;
            at += length;
            return text.substr(at - length, length);
        }
        const char kind = peek(1);
        at += 2;
        switch (kind) {
            case 'x': return parse_hex(2);
            case 'u': return parse_hex(4);
            case 'U': return parse_hex(8);
            case 't': return "\t";
            case 'r': return "\r";
            case 'n': return "\n";
            case '\\':
            case '"':
            case '[':
            case ']':
            case '-': return std::string(1, kind);
            default: refuse("an escape is unknown");
        }
    }

    std::string parse_hex(size_t digits) {
        uint64_t value = 0;
        for (size_t index = 0; index < digits; ++index, ++at) {
            const char c = peek();
            const bool is_letter = ('a' <= c && c <= 'f') || ('A' <= c && c <= 'F');
            if (!is_digit(c) && !is_letter) {
                refuse("an escape has too few hexadecimal digits");
            }
            value = value * 16 + static_cast<uint64_t>(is_digit(c) ? c - '0' : (c | 0x20) - 'a' + 10);
        }
        return value > 0 && value < 0x80 ? std::string(1, static_cast<char>(value)) : std::string();
    }

    /// `<[id]>` or `<text>`, with `!` before it for any other token.
    void parse_token() {
        at += peek() == '!' ? 1 : 0;
        if (peek() != '<') {
            refuse("\"<\" is missing");
        }
        grammar.tokens.push_back(peek(1) == '[' ? parse_token_id() : parse_token_text());
    }

    int32_t parse_token_id() {
        at += 2;
        const uint64_t id = parse_number();
        if (peek() != ']' || peek(1) != '>') {
            refuse("\"]>\" is missing");
        }
        at += 2;
        if (vocab && id >= static_cast<uint64_t>(vocab->size())) {
            refuse("the token is outside the vocabulary");
        }
        return static_cast<int32_t>(id);
    }

    int32_t parse_token_text() {
        const size_t end = text.find('>', at);
        if (end == std::string::npos) {
            refuse("\">\" is missing");
        }
        int32_t tokens[2] = {-1, -1};
        const auto length = static_cast<int32_t>(end + 1 - at);
        if (vocab && llama_tokenize(vocab->raw(), text.data() + at, length, tokens, 2, false, true) != 1) {
            refuse("the text in \"<>\" is not a single token");
        }
        at = end + 1;
        return tokens[0];
    }

    const std::string & text;
    const vocabulary * const vocab;
    size_t at = 0;
    uint32_t current = 0;
    size_t elements = 0;
    gbnf grammar;
};

void check_text(const std::string & text) {
    require(text.size() <= maximum_length, CL_LIMIT_EXCEEDED, "the grammar is longer than 256 KiB");
    for (size_t at = 0; at < text.size();) {
        const utf8_unit unit = utf8_read(text.data() + at, text.size() - at);
        require(unit.is_valid, CL_GRAMMAR_INVALID, "the grammar is no UTF-8");
        at += unit.length;
    }
}

}  // namespace

std::string gbnf::name_of(uint32_t rule) const {
    for (const auto & name : names) {
        if (name.second == owners[rule]) {
            return "\"" + name.first + "\"";
        }
    }
    return "";
}

gbnf parse_gbnf(const std::string & text, const vocabulary & vocab) {
    check_text(text);
    return parser(text, &vocab).parse();
}

gbnf parse_gbnf(const std::string & text) {
    check_text(text);
    return parser(text, nullptr).parse();
}

}  // namespace cllama
