#pragma once

#include "vocabulary.hpp"

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace cllama {

/// A part of a rule as the checks of a grammar see it: a rule that is referred to, or characters or tokens.
struct gbnf_item {
    static constexpr uint32_t terminal = UINT32_MAX;

    /// `terminal` or the number of a rule.
    uint32_t rule;
};

using gbnf_sequence = std::vector<gbnf_item>;

/// The alternatives of one rule; empty while the rule is only referred to.
using gbnf_rule = std::vector<gbnf_sequence>;

/// A grammar as llama.cpp will understand it, with the rules that it makes up for groups and repetitions.
struct gbnf {
    std::vector<gbnf_rule> rules;
    std::unordered_map<std::string, uint32_t> names;
    /// The characters of all literals, one after the other with a NUL between two of them.
    std::string literals;
    /// Tokens that the grammar names by id or by text.
    std::vector<int32_t> tokens;
};

/// Parses GBNF text as llama.cpp does.
///
/// llama.cpp prints a grammar that it refuses to stderr and takes unbounded time and memory for some others, so all of
/// them are refused here, with `CL_GRAMMAR_INVALID` or `CL_LIMIT_EXCEEDED`.
gbnf parse_gbnf(const std::string & text, const vocabulary & vocab);

/// Refuses grammars without a `root`, with undefined rules, and those that recurse on the left or branch so often
/// before their first character that llama.cpp would not come back.
void check_gbnf(const gbnf & grammar);

}  // namespace cllama
