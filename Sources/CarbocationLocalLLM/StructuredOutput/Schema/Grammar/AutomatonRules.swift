/// Writes the machine of a text as rules of a grammar, one for each state where ways part or meet.
struct AutomatonRules {
    typealias TooLarge = GrammarRules.TooLarge

    /// How a machine's scalars appear in the text that the grammar describes.
    enum Encoding: Hashable, Sendable {
        /// As they are.
        case plain
        /// As characters of a JSON string.
        case string
    }

    private let states: [TextAutomaton.State]
    private let encoding: Encoding
    private let name: String
    /// Whether a state is entered from several others, or is the start and entered again.
    private let isShared: [Bool]
    private var rules: [Int: Int] = [:]
    private var pending: [Int] = []

    /// What the machine accepts, as an expression over rules that are added to `text`.
    static func expression(
        of automaton: TextAutomaton, _ encoding: Encoding, named name: String, in text: inout JSONTextRules
    ) throws(TooLarge) -> GrammarExpression {
        guard !automaton.acceptsNothing else { return .never }
        var writer = AutomatonRules(automaton, encoding, name)
        let start = try writer.alternatives(of: 0, &text)
        while let state = writer.pending.popLast() {
            guard let rule = writer.rules[state] else { continue }
            text.rules.define(rule, as: try writer.alternatives(of: state, &text))
        }
        return start
    }

    private init(_ automaton: TextAutomaton, _ encoding: Encoding, _ name: String) {
        states = automaton.states
        self.encoding = encoding
        self.name = name
        var entries = Array(repeating: 0, count: automaton.states.count)
        entries[0] = 1
        for (index, state) in automaton.states.enumerated() {
            for edge in state.edges where edge.target != index { entries[edge.target] += 1 }
        }
        isShared = entries.map { $0 > 1 }
    }

    /// All that may be read from a state on.
    private mutating func alternatives(
        of state: Int, _ text: inout JSONTextRules
    ) throws(TooLarge) -> GrammarExpression {
        if let loop = loop(at: state) {
            let unit = try encoded(loop.scalars, &text)
            let rest = try choices(among: others(than: loop, in: state), states[state].isAccepting, &text)
            return .joined([try text.rules.repetition(of: unit, 0, nil, named: name), rest])
        }
        if let run = run(from: state) {
            let unit = try encoded(run.scalars, &text)
            let some = try text.rules.repetition(of: unit, 0, run.length, named: name)
            return .joined([some, try continuation(at: run.end, &text)])
        }
        return try choices(among: states[state].edges, states[state].isAccepting, &text)
    }

    private mutating func choices(
        among edges: [TextAutomaton.Edge], _ mayEnd: Bool, _ text: inout JSONTextRules
    ) throws(TooLarge) -> GrammarExpression {
        var parts: [GrammarExpression] = []
        for edge in edges { parts.append(try way(along: edge, &text)) }
        if mayEnd { parts.append(.empty) }
        return .any(parts)
    }

    /// The scalars of an edge and what comes after them, in one rule as far as there is only one way.
    private mutating func way(
        along edge: TextAutomaton.Edge, _ text: inout JSONTextRules
    ) throws(TooLarge) -> GrammarExpression {
        var units = [try encoded(edge.scalars, &text)]
        var state = edge.target
        while !isShared[state], let next = onlyEdge(of: state) {
            units.append(try encoded(next.scalars, &text))
            state = next.target
        }
        return .joined(try counted(units, &text) + [try continuation(at: state, &text)])
    }

    /// What follows at a state: nothing, one more run of scalars, or the state's rule.
    private mutating func continuation(
        at state: Int, _ text: inout JSONTextRules
    ) throws(TooLarge) -> GrammarExpression {
        if states[state].edges.isEmpty { return .empty }
        if let edge = onlyEdge(of: state), states[edge.target].edges.isEmpty { return try encoded(edge.scalars, &text) }
        let isSimple = loop(at: state) != nil ? states[state].edges.count == 1 : run(from: state) != nil
        if isSimple {
            let simple = try alternatives(of: state, &text)
            return isShared[state] ? try text.rules.rule(name, simple) : simple
        }
        if let known = rules[state] { return .rule(known) }
        let rule = try text.rules.reserve(name)
        rules[state] = rule
        pending.append(state)
        return .rule(rule)
    }

    /// Equal scalars in a row are counted instead of written down.
    private func counted(
        _ units: [GrammarExpression], _ text: inout JSONTextRules
    ) throws(TooLarge) -> [GrammarExpression] {
        var result: [GrammarExpression] = []
        var rest = units[...]
        while let unit = rest.first {
            let count = rest.prefix { $0 == unit }.count
            rest = rest.dropFirst(count)
            if case .literal(let character) = unit {
                result.append(.literal(String(repeating: character, count: count)))
            } else {
                result.append(try text.rules.repetition(of: unit, count, count, named: name))
            }
        }
        return result
    }

    private func encoded(_ scalars: ScalarSet, _ text: inout JSONTextRules) throws(TooLarge) -> GrammarExpression {
        switch encoding {
        case .string: try text.character(in: scalars)
        case .plain: scalars.onlyMember.map { .literal(String($0)) } ?? .scalars(scalars)
        }
    }
}

extension AutomatonRules {
    /// Scalars that may be left out one by one from the end: each state but the last has, beside the way on, the same
    /// ways out as the last.
    private struct Run {
        var scalars: ScalarSet
        var length: Int
        var end: Int
    }

    /// The only way on from a state at which no text ends.
    private func onlyEdge(of state: Int) -> TextAutomaton.Edge? {
        states[state].isAccepting || states[state].edges.count != 1 ? nil : states[state].edges[0]
    }

    private func loop(at state: Int) -> TextAutomaton.Edge? {
        states[state].edges.first { $0.target == state }
    }

    private func others(than edge: TextAutomaton.Edge, in state: Int) -> [TextAutomaton.Edge] {
        states[state].edges.filter { $0 != edge }
    }

    private func run(from state: Int) -> Run? {
        var best: Run?
        for edge in states[state].edges {
            guard let run = run(from: state, along: edge), run.length > best?.length ?? 0 else { continue }
            best = run
        }
        return best
    }

    private func run(from start: Int, along edge: TextAutomaton.Edge) -> Run? {
        let rest = others(than: edge, in: start)
        guard states[start].isAccepting || !rest.isEmpty else { return nil }
        var state = edge.target
        var length = 1
        while length < states.count, states[state].isAccepting == states[start].isAccepting {
            if states[state].edges == rest { return Run(scalars: edge.scalars, length: length, end: state) }
            guard let next = states[state].edges.first(where: { $0.scalars == edge.scalars }),
                others(than: next, in: state) == rest
            else { return nil }
            state = next.target
            length += 1
        }
        return nil
    }
}
