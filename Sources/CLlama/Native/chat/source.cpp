#include "source.hpp"

#include "../guard.hpp"
#include "instrument.hpp"
#include "limits.hpp"
#include "operators.hpp"
#include "text.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace cllama::chat {

namespace {

constexpr std::string_view BLANKS = " \t\r\n";
constexpr size_t npos = std::string_view::npos;

bool starts_with(std::string_view text, std::string_view prefix) {
    return text.substr(0, prefix.size()) == prefix;
}

std::string_view without_leading_blanks(std::string_view text) {
    const size_t start = text.find_first_not_of(BLANKS);
    return start == std::string_view::npos ? std::string_view() : text.substr(start);
}

/// Whether the text after `{{` reads as Go: a field, or a keyword before a field or variable.
bool is_go_action(std::string_view action) {
    if (starts_with(action, "-")) {
        action.remove_prefix(1);
    }
    action = without_leading_blanks(action);
    if (starts_with(action, ".") || starts_with(action, "$")) {
        return true;
    }
    static constexpr std::array<std::string_view, 6> keywords = {"if", "range", "with", "template", "block", "define"};
    for (const auto keyword : keywords) {
        const std::string_view rest = starts_with(action, keyword) ? action.substr(keyword.size()) : "";
        const std::string_view operand = without_leading_blanks(rest);
        if (operand.size() < rest.size() && !operand.empty() && std::string_view(".$\"").find(operand[0]) != npos) {
            return true;
        }
    }
    return false;
}

void check_size(size_t tokens) {
    if (tokens > MAX_SOURCE_TOKENS) {
        throw failure(CL_LIMIT_EXCEEDED, "The chat template has " + std::to_string(tokens) + " tokens, more than " +
                                             std::to_string(MAX_SOURCE_TOKENS) + ".");
    }
}

/// Levels that a token opens (positive) or closes.
int nesting_change(const jinja::token & token, const jinja::token * before) {
    switch (token.t) {
        case jinja::token::open_paren:
        case jinja::token::open_square_bracket:
        case jinja::token::open_curly_bracket:
            return 1;
        case jinja::token::close_paren:
        case jinja::token::close_square_bracket:
        case jinja::token::close_curly_bracket:
            return -1;
        case jinja::token::identifier:
            break;
        default:
            return 0;
    }
    if (before == nullptr || before->t != jinja::token::open_statement) {
        return 0;
    }
    for (const char * opener : {"if", "for", "macro", "call", "filter", "set"}) {
        if (token.value == opener) {
            return 1;
        }
        if (token.value == std::string("end") + opener) {
            return -1;
        }
    }
    return 0;
}

/// `{% set a = 1 %}` opens no block, only `{% set a %}` does.
bool is_short_set(const std::vector<jinja::token> & tokens, size_t at) {
    if (tokens[at].value != "set") {
        return false;
    }
    for (size_t i = at; i < tokens.size() && tokens[i].t != jinja::token::close_statement; ++i) {
        if (tokens[i].t == jinja::token::equals) {
            return true;
        }
    }
    return false;
}

void check_nesting(const std::vector<jinja::token> & tokens) {
    long depth = 0;
    for (size_t i = 0; i < tokens.size(); ++i) {
        const int change = nesting_change(tokens[i], i > 0 ? &tokens[i - 1] : nullptr);
        if (change > 0 && tokens[i].t == jinja::token::identifier && is_short_set(tokens, i)) {
            continue;
        }
        depth = std::max(0L, depth + change);
        if (depth > static_cast<long>(MAX_SOURCE_NESTING)) {
            throw failure(CL_LIMIT_EXCEEDED, "The chat template nests deeper than " +
                                                 std::to_string(MAX_SOURCE_NESTING) + " levels.");
        }
    }
}

}  // namespace

bool has_go_actions(const std::string & text) {
    const std::string_view view = text;
    for (size_t at = view.find("{{"); at != npos; at = view.find("{{", at + 2)) {
        if (is_go_action(view.substr(at + 2))) {
            return true;
        }
    }
    return false;
}

dialect dialect_of(const std::string & text) {
    const auto has = [&](const char * delimiter) { return text.find(delimiter) != std::string::npos; };
    if (!has("{%") && has_go_actions(text)) {
        return dialect::go;
    }
    return has("{%") || has("{{") || has("{#") ? dialect::jinja : dialect::legacy;
}

std::string normalised_source(const std::string & text) {
    if (text.size() > MAX_SOURCE_BYTES) {
        throw failure(CL_LIMIT_EXCEEDED, "The chat template has " + std::to_string(text.size() / KIB) +
                                             " KiB, more than " + std::to_string(MAX_SOURCE_BYTES / KIB) + " KiB.");
    }
    std::string result;
    result.reserve(text.size());
    for (size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '\r') {
            result.push_back(text[i]);
        } else if (i + 1 == text.size() || text[i + 1] != '\n') {
            result.push_back('\n');
        }
    }
    return valid_utf8(result);
}

jinja::program parsed(const std::string & source) {
    jinja::lexer_result lexed = jinja::lexer().tokenize(source);
    lexed.tokens = with_python_operators(std::move(lexed.tokens));
    check_size(lexed.tokens.size());
    check_nesting(lexed.tokens);
    jinja::program program = jinja::parse_from_tokens(lexed);
    instrument(program);
    return program;
}

}  // namespace cllama::chat
