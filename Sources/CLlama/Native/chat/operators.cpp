#include "operators.hpp"

#include "../guard.hpp"

#include <algorithm>
#include <string>
#include <unordered_set>
#include <utility>

namespace cllama::chat {

namespace {

using jinja::token;

class rewriting {
  public:
    explicit rewriting(std::vector<token> tokens) : tokens_(std::move(tokens)), partners_(tokens_.size(), 0) {
        std::vector<size_t> open;
        for (size_t i = 0; i < tokens_.size(); ++i) {
            if (is_opening(i)) {
                open.push_back(i);
            } else if (is_closing(i) && !open.empty()) {
                partners_[open.back()] = i;
                open.pop_back();
            }
        }
    }

    std::vector<token> run() {
        std::vector<token> result;
        result.reserve(tokens_.size());
        std::vector<size_t> closers(tokens_.size() + 1, 0);
        for (size_t i = 0; i < tokens_.size(); ++i) {
            const size_t pos = tokens_[i].pos;
            result.insert(result.end(), closers[i], {token::close_paren, ")", pos});
            if (is_double(i, "*") && has_operand(i + 2)) {
                refuse_unpacking(i);
                ++closers[end_of_operand(i + 2)];
                result.push_back({token::pipe, "|", pos});
                result.push_back({token::identifier, POWER, pos});
                result.push_back({token::open_paren, "(", pos});
                ++i;
            } else if (is_double(i, "/")) {
                result.push_back({token::multiplicative_binary_operator, "//", pos});
                ++i;
            } else {
                result.push_back(std::move(tokens_[i]));
                if (is_sign(i, result)) {
                    result.back().t = token::unary_operator;
                }
            }
        }
        const size_t end = tokens_.empty() ? 0 : tokens_.back().pos;
        result.insert(result.end(), closers[tokens_.size()], {token::close_paren, ")", end});
        return result;
    }

  private:
    std::vector<token> tokens_;
    /// For each opening bracket its closing one; 0 for other tokens and for brackets that stay open.
    std::vector<size_t> partners_;

    bool is(size_t at, token::type type) const { return at < tokens_.size() && tokens_[at].t == type; }

    bool is_opening(size_t at) const {
        return is(at, token::open_paren) || is(at, token::open_square_bracket) || is(at, token::open_curly_bracket);
    }

    bool is_closing(size_t at) const {
        return is(at, token::close_paren) || is(at, token::close_square_bracket) || is(at, token::close_curly_bracket);
    }

    bool is_word(size_t at, const char * word) const { return is(at, token::identifier) && tokens_[at].value == word; }

    /// Whether an operator of two characters starts here, which llama.cpp's lexer takes for two.
    bool is_double(size_t at, const char * character) const {
        const auto is_half = [&](size_t i) {
            return is(i, token::multiplicative_binary_operator) && tokens_[i].value == character;
        };
        return is_half(at) && is_half(at + 1) && tokens_[at].pos + 1 == tokens_[at + 1].pos;
    }

    /// Whether `tokens_[at]` is a sign behind a keyword, which llama.cpp's lexer takes for an operator behind a name.
    bool is_sign(size_t at, const std::vector<token> & before) const {
        static const std::unordered_set<std::string> keywords = {"and", "elif", "else", "if", "in", "not", "or"};
        if (!is(at, token::additive_binary_operator) || before.size() < 3 || before.back().value == "~") {
            return false;
        }
        const token & word = before[before.size() - 2];
        return word.t == token::identifier && keywords.count(word.value) > 0 &&
               before[before.size() - 3].t != token::dot;
    }

    void refuse_unpacking(size_t at) const {
        if (at > 0 && (is(at - 1, token::open_paren) || is(at - 1, token::comma))) {
            throw failure(CL_TEMPLATE_FAILED,
                          "The chat template unpacks arguments with \"**\", which is not supported.");
        }
    }

    bool has_operand(size_t at) const { return end_of_operand(at) > at; }

    /// Past the operand that starts at `at`: signs, a literal, a name or brackets, and what is applied to it.
    size_t end_of_operand(size_t at) const {
        while (is(at, token::unary_operator)) {
            ++at;
        }
        return end_of_applications(end_of_primary(at));
    }

    size_t end_of_primary(size_t at) const {
        if (is_opening(at)) {
            at = end_of_brackets(at);
        } else if (is(at, token::string_literal)) {
            while (is(at, token::string_literal)) {
                ++at;
            }
        } else if (is(at, token::identifier) || is(at, token::numeric_literal)) {
            ++at;
        }
        while (is(at, token::dot) || is(at, token::open_paren) || is(at, token::open_square_bracket)) {
            at = is(at, token::dot) ? std::min(at + 2, tokens_.size()) : end_of_brackets(at);
        }
        return at;
    }

    size_t end_of_brackets(size_t at) const { return partners_[at] == 0 ? tokens_.size() : partners_[at] + 1; }

    /// Filters and tests.
    size_t end_of_applications(size_t at) const {
        while (is(at, token::pipe) || is_word(at, "is")) {
            const bool is_test = is_word(at, "is");
            at += is_test && is_word(at + 1, "not") ? 2 : 1;
            if (!is(at, token::identifier)) {
                return std::min(at, tokens_.size());
            }
            ++at;
            if (is(at, token::open_paren)) {
                at = end_of_brackets(at);
            } else if (is_test && starts_argument(at)) {
                at = end_of_primary(at);
            }
        }
        return at;
    }

    /// Whether a test takes the token for its argument.
    bool starts_argument(size_t at) const {
        static const std::unordered_set<std::string> others = {"and", "or", "else", "if", "in", "is", "not"};
        return is(at, token::string_literal) || is(at, token::numeric_literal) || is_opening(at) ||
               (is(at, token::identifier) && others.count(tokens_[at].value) == 0);
    }
};

}  // namespace

std::vector<token> with_python_operators(std::vector<token> tokens) {
    return rewriting(std::move(tokens)).run();
}

}  // namespace cllama::chat
