#include "gbnf.hpp"

#include "guard.hpp"

#include <algorithm>

namespace cllama {

namespace {

/// How many ways may lead from a rule to its first character. llama.cpp walks all of them.
constexpr double maximum_ways = 100'000;
/// How many rules may stand at the start of each other; llama.cpp recurses that deep.
constexpr int maximum_depth = 1000;

/// A rule that may stand at the start of another one.
struct left_edge {
    uint32_t to;
    /// Nothing follows it there.
    bool is_last;
};

class left_graph {
  public:
    /// `may_be_empty`: rules that something after them in a sequence may start in place of.
    left_graph(const gbnf & grammar, const std::vector<bool> & may_be_empty) : edges(grammar.rules.size()) {
        for (size_t rule = 0; rule < grammar.rules.size(); ++rule) {
            for (const gbnf_sequence & sequence : grammar.rules[rule]) {
                for (size_t index = 0; index < sequence.size(); ++index) {
                    const uint32_t to = sequence[index].rule;
                    if (to == gbnf_item::terminal) {
                        break;
                    }
                    edges[rule].push_back({to, index + 1 == sequence.size()});
                    if (!may_be_empty[to]) {
                        break;
                    }
                }
            }
        }
    }

    const std::vector<left_edge> & from(uint32_t rule) const { return edges[rule]; }
    size_t size() const { return edges.size(); }

  private:
    std::vector<std::vector<left_edge>> edges;
};

/// Groups rules that reach each other (Tarjan's algorithm, without recursion of its own) and counts on the way.
class left_walk {
  public:
    /// `allows_loops`: a rule that comes back to itself as a last item only is no left recursion, because llama.cpp's
    /// stacks do not grow by it.
    left_walk(const gbnf & grammar, const left_graph & graph, bool allows_loops)
        : grammar(grammar), graph(graph), allows_loops(allows_loops), nodes(graph.size()) {}

    void run() {
        for (uint32_t rule = 0; rule < graph.size(); ++rule) {
            if (nodes[rule].order == 0) {
                visit(rule);
            }
        }
    }

  private:
    struct node {
        /// When the rule was first seen, from 1; and the earliest rule that it reaches.
        size_t order = 0;
        size_t low = 0;
        size_t next_edge = 0;
        bool is_grouped = false;
        double ways = 0;
        int depth = 0;
    };

    void visit(uint32_t start) {
        std::vector<uint32_t> path;
        enter(start, path);
        while (!path.empty()) {
            const uint32_t rule = path.back();
            node & current = nodes[rule];
            if (current.next_edge < graph.from(rule).size()) {
                const uint32_t to = graph.from(rule)[current.next_edge++].to;
                if (nodes[to].order == 0) {
                    enter(to, path);
                } else if (!nodes[to].is_grouped) {
                    current.low = std::min(current.low, nodes[to].order);
                }
                continue;
            }
            path.pop_back();
            if (!path.empty()) {
                nodes[path.back()].low = std::min(nodes[path.back()].low, current.low);
            }
            if (current.low == current.order) {
                close_group(rule);
            }
        }
    }

    void enter(uint32_t rule, std::vector<uint32_t> & path) {
        nodes[rule].order = nodes[rule].low = ++seen;
        ungrouped.push_back(rule);
        path.push_back(rule);
    }

    void close_group(uint32_t first) {
        const auto begin = std::find(ungrouped.rbegin(), ungrouped.rend(), first).base() - 1;
        const std::vector<uint32_t> group(begin, ungrouped.end());
        ungrouped.erase(begin, ungrouped.end());
        double ways = static_cast<double>(group.size());
        int depth = 0;
        for (const uint32_t rule : group) {
            for (const left_edge & edge : graph.from(rule)) {
                if (nodes[edge.to].is_grouped) {
                    ways += nodes[edge.to].ways;
                    depth = std::max(depth, nodes[edge.to].depth);
                } else if (!allows_loops || !edge.is_last) {
                    refuse(rule, edge.to);
                }
            }
        }
        depth += static_cast<int>(group.size());
        if (ways > maximum_ways || depth > maximum_depth) {
            throw failure(CL_LIMIT_EXCEEDED, "the grammar branches too often before its first character, in its rule " +
                                                 grammar.name_of(first));
        }
        for (const uint32_t rule : group) {
            nodes[rule].is_grouped = true;
            nodes[rule].ways = ways;
            nodes[rule].depth = depth;
        }
    }

    /// `rule` and `to` lead to each other without reading anything.
    [[noreturn]] void refuse(uint32_t rule, uint32_t to) const {
        const bool is_repetition = rule == to && grammar.repeats[rule];
        throw failure(CL_GRAMMAR_INVALID,
                      "the grammar's rule " + grammar.name_of(rule) +
                          (is_repetition ? " repeats without end what may be empty" : " is left-recursive"));
    }

    const gbnf & grammar;
    const left_graph & graph;
    bool allows_loops;
    std::vector<node> nodes;
    std::vector<uint32_t> ungrouped;
    size_t seen = 0;
};

std::vector<bool> with_empty_alternative(const gbnf & grammar) {
    std::vector<bool> result(grammar.rules.size());
    for (size_t rule = 0; rule < grammar.rules.size(); ++rule) {
        result[rule] = std::any_of(grammar.rules[rule].begin(), grammar.rules[rule].end(),
                                   [](const gbnf_sequence & sequence) { return sequence.empty(); });
    }
    return result;
}

/// Rules that can match nothing at all, directly or through others.
std::vector<bool> nullable(const gbnf & grammar) {
    // For each rule, the alternatives that wait for it; each alternative counts what it still waits for.
    struct waiting {
        uint32_t rule;
        size_t open;
    };
    std::vector<waiting> alternatives;
    std::vector<std::vector<size_t>> waiters(grammar.rules.size());
    std::vector<uint32_t> todo;
    std::vector<bool> result = with_empty_alternative(grammar);
    for (uint32_t rule = 0; rule < grammar.rules.size(); ++rule) {
        if (result[rule]) {
            todo.push_back(rule);
        }
        for (const gbnf_sequence & sequence : grammar.rules[rule]) {
            const bool has_terminal = std::any_of(sequence.begin(), sequence.end(), [](const gbnf_item & item) {
                return item.rule == gbnf_item::terminal;
            });
            if (has_terminal) {
                continue;
            }
            for (const gbnf_item & item : sequence) {
                waiters[item.rule].push_back(alternatives.size());
            }
            alternatives.push_back({rule, sequence.size()});
        }
    }
    while (!todo.empty()) {
        const uint32_t rule = todo.back();
        todo.pop_back();
        for (const size_t index : waiters[rule]) {
            waiting & alternative = alternatives[index];
            if (--alternative.open == 0 && !result[alternative.rule]) {
                result[alternative.rule] = true;
                todo.push_back(alternative.rule);
            }
        }
    }
    return result;
}

}  // namespace

void check_gbnf(const gbnf & grammar, empty_repetition repetition) {
    for (const auto & name : grammar.names) {
        if (grammar.rules[name.second].empty()) {
            throw failure(CL_GRAMMAR_INVALID, "the grammar does not define its rule \"" + name.first + "\"");
        }
    }
    require(grammar.names.count("root") != 0, CL_GRAMMAR_INVALID, "the grammar has no rule \"root\"");
    // llama.cpp's own search for left recursion knows only rules with an empty alternative, and repeats itself for
    // every way to a rule; the second walk finds what it misses.
    const left_graph plain(grammar, with_empty_alternative(grammar));
    left_walk(grammar, plain, false).run();
    const left_graph whole(grammar, nullable(grammar));
    left_walk(grammar, whole, repetition == empty_repetition::allowed).run();
}

}  // namespace cllama
