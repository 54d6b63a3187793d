#include "cl_grammar.h"

#include "gbnf.hpp"
#include "grammar.hpp"
#include "guard.hpp"
#include "utf8.hpp"

#include <algorithm>
#include <chrono>
#include <memory>
#include <string>

namespace {

using cllama::require;
using steady = std::chrono::steady_clock;

constexpr size_t maximum_length = size_t(1) << 20;
/// How many ways to read the text may be open at once. llama.cpp compares each of them with all others.
constexpr size_t maximum_ways = 2'000;
constexpr std::chrono::seconds maximum_time{20};

cllama::gbnf checked(const std::string & text) {
    cllama::gbnf grammar = cllama::parse_gbnf(text);
    cllama::check_gbnf(grammar, cllama::empty_repetition::refused);
    return grammar;
}

uint32_t code_point(const char * bytes, size_t length) {
    const auto lead = static_cast<unsigned char>(bytes[0]);
    uint32_t value = length == 1 ? lead : lead & (0xFFu >> (length + 1));
    for (size_t index = 1; index < length; ++index) {
        value = value << 6 | (static_cast<unsigned char>(bytes[index]) & 0x3F);
    }
    return value;
}

/// Whether `state` can read all of the text and then end.
bool reads(llama_grammar * state, const char * text, size_t length) {
    const auto deadline = steady::now() + maximum_time;
    const auto & ways = llama_grammar_get_stacks(state);
    for (size_t at = 0; at < length;) {
        const cllama::utf8_unit unit = cllama::utf8_read(text + at, length - at);
        if (!unit.is_valid) {
            return false;
        }
        llama_grammar_accept(state, code_point(text + at, unit.length));
        at += unit.length;
        if (ways.empty()) {
            return false;
        }
        require(ways.size() <= maximum_ways && steady::now() < deadline, CL_LIMIT_EXCEEDED,
                "the grammar is too ambiguous to match the text against it");
    }
    return std::any_of(ways.begin(), ways.end(), [](const auto & way) { return way.empty(); });
}

}  // namespace

cl_status cl_grammar_check(const char * grammar) noexcept {
    return cllama::guarded([&] { checked(grammar); });
}

cl_status cl_grammar_matches(const char * grammar, const char * text, size_t length, bool * out_matches) noexcept {
    return cllama::guarded([&] {
        require(length <= maximum_length, CL_LIMIT_EXCEEDED, "the text is longer than 1 MiB");
        require(checked(grammar).tokens.empty(), CL_GRAMMAR_INVALID,
                "the grammar names tokens, which a text does not have");
        const std::unique_ptr<llama_grammar, cllama::grammar_deleter> state(
            llama_grammar_init_impl(nullptr, grammar, "root", false, nullptr, 0, nullptr, 0));
        require(state != nullptr, CL_GRAMMAR_INVALID, "llama.cpp refused the grammar");
        *out_matches = reads(state.get(), text, length);
    });
}
