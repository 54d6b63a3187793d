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
    /// For each rule, the rule with a name in whose text it stands.
    std::vector<uint32_t> owners;
    /// For each rule, whether it repeats something without bound.
    std::vector<bool> repeats;
    std::unordered_map<std::string, uint32_t> names;
    /// The characters of all literals, one after the other with a NUL between two of them.
    std::string literals;
    /// Tokens that the grammar names by id or by text.
    std::vector<int32_t> tokens;

    /// The name of a rule, or of the one that it stands in, in quotes.
    std::string name_of(uint32_t rule) const;
};

/// Parses GBNF text as llama.cpp does.
///
/// llama.cpp prints a grammar that it refuses to stderr and takes unbounded time and memory for some others, so all of
/// them are refused here, with `CL_GRAMMAR_INVALID` or `CL_LIMIT_EXCEEDED`.
gbnf parse_gbnf(const std::string & text, const vocabulary & vocab);

/// Parses GBNF text without a vocabulary, so that tokens are only looked at for their form.
gbnf parse_gbnf(const std::string & text);

/// Whether a grammar may repeat without bound what may be empty. llama.cpp gets along with it, and does so in the
/// grammars that it makes itself.
enum class empty_repetition { allowed, refused };

/// Refuses grammars without a `root`, with undefined rules, and those that recurse on the left or branch so often
/// before their first character that llama.cpp would not come back.
void check_gbnf(const gbnf & grammar, empty_repetition repetition = empty_repetition::allowed);

}  // namespace cllama
