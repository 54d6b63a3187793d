/// The machine of a regular expression, which may match anywhere in a text.
struct PatternAutomaton {
    private static let maximumNodes = 20_000
    /// Bounds the work that goes into making the machine deterministic.
    private static let maximumWork = 2_000_000
    private static let maximumSets = 200
    private static let maximumStates = 10_000

    private enum Link {
        case always(Int)
        /// Only before the first scalar.
        case atStart(Int)
        /// Only after the last scalar.
        case atEnd(Int)
        case reading(ScalarSet, Int)
    }

    /// What is active at one point of the text.
    private struct Progress: Hashable {
        /// Those that wait for a scalar or for the end.
        var nodes: [Int]
        var mayEnd: Bool
        var isComplete = false
    }

    private var links: [[Link]] = []
    private let accepted: Int
    private var work = 0
    /// Disjoint sets of which every set of the expression is made.
    private var atoms: [ScalarSet] = []
    /// The atoms of each set, by number.
    private var atomsOfSet: [ScalarSet: [Int]] = [:]

    /// The texts in which the expression matches somewhere; nil if the expression is not supported.
    static func containing(_ pattern: String) throws(TextAutomaton.TooLarge) -> TextAutomaton? {
        guard let node = PatternParser.parse(pattern), !hasWordBoundary(node) else { return nil }
        var machine = try PatternAutomaton(node)
        return try machine.deterministic()
    }

    private init(_ node: PatternNode) throws(TextAutomaton.TooLarge) {
        links = [[], []]
        accepted = 1
        let inner = try add(node, to: accepted)
        links[0] = [.always(inner), .reading(.all, 0)]
        try makeAtoms()
    }

    private static func hasWordBoundary(_ node: PatternNode) -> Bool {
        switch node {
        case .wordBoundary: true
        case .sequence(let nodes), .alternatives(let nodes): nodes.contains(where: hasWordBoundary)
        case .repetition(let inner, _, _): hasWordBoundary(inner)
        case .scalar, .start, .end: false
        }
    }

    private mutating func addNode(_ links: [Link]) throws(TextAutomaton.TooLarge) -> Int {
        guard self.links.count < Self.maximumNodes else { throw TextAutomaton.TooLarge() }
        self.links.append(links)
        return self.links.count - 1
    }

    /// Adds what `node` matches before what begins at `next`, and gives its first node.
    private mutating func add(_ node: PatternNode, to next: Int) throws(TextAutomaton.TooLarge) -> Int {
        switch node {
        case .scalar(let allowed): return try addNode([.reading(ScalarSet(allowed.flattenedRanges), next)])
        case .start: return try addNode([.atStart(next)])
        case .end: return try addNode([.atEnd(next)])
        // Not to be met with: such expressions were refused before.
        case .wordBoundary: return next
        case .sequence(let nodes):
            var first = next
            for node in nodes.reversed() { first = try add(node, to: first) }
            return first
        case .alternatives(let nodes):
            var choices: [Link] = []
            for node in nodes { choices.append(.always(try add(node, to: next))) }
            return try addNode(choices)
        case .repetition(let inner, let minimum, let maximum):
            return try addRepetition(of: inner, minimum, maximum, to: next)
        }
    }

    private mutating func addRepetition(
        of node: PatternNode, _ minimum: Int, _ maximum: Int?, to next: Int
    ) throws(TextAutomaton.TooLarge) -> Int {
        var first = next
        if let maximum {
            for _ in 0..<max(0, maximum - minimum) {
                let taken = try add(node, to: first)
                first = try addNode([.always(taken), .always(next)])
            }
        } else {
            first = try addNode([.always(next)])
            let taken = try add(node, to: first)
            links[first].append(.always(taken))
        }
        for _ in 0..<minimum { first = try add(node, to: first) }
        return first
    }
}

extension PatternAutomaton {
    private mutating func makeAtoms() throws(TextAutomaton.TooLarge) {
        var sets: Set<ScalarSet> = []
        for link in links.joined() {
            if case .reading(let set, _) = link { sets.insert(set) }
        }
        guard sets.count <= Self.maximumSets else { throw TextAutomaton.TooLarge() }
        var parts = [ScalarSet.all]
        for set in sets {
            let others = set.complement
            parts = parts.flatMap { [$0.intersection(set), $0.intersection(others)] }.filter { !$0.isEmpty }
        }
        atoms = parts
        for set in sets {
            atomsOfSet[set] = parts.indices.filter { set.contains(parts[$0].ranges[0].lowerBound) }
        }
    }

    private mutating func deterministic() throws(TextAutomaton.TooLarge) -> TextAutomaton {
        let start = progress(from: [0], isAtStart: true)
        var machine = self
        return try TextAutomaton(from: start, limit: Self.maximumStates, accepts: \.mayEnd) {
            progress throws(TextAutomaton.TooLarge) in
            try machine.step(from: progress)
        }
    }

    private mutating func step(from current: Progress) throws(TextAutomaton.TooLarge) -> [(ScalarSet, Progress)] {
        // Once the expression has matched, any text may follow.
        if current.isComplete { return [(.all, current)] }
        var targets = Array(repeating: Set<Int>(), count: atoms.count)
        for node in current.nodes {
            for link in links[node] {
                guard case .reading(let set, let target) = link, let atoms = atomsOfSet[set] else { continue }
                for atom in atoms { targets[atom].insert(target) }
                work += atoms.count
            }
        }
        var known: [Set<Int>: Progress] = [:]
        var result: [(ScalarSet, Progress)] = []
        for (atom, nodes) in targets.enumerated() where !nodes.isEmpty {
            let next = known[nodes] ?? progress(from: nodes, isAtStart: false)
            known[nodes] = next
            result.append((atoms[atom], next))
        }
        guard work <= Self.maximumWork else { throw TextAutomaton.TooLarge() }
        return result
    }

    private mutating func progress(from nodes: Set<Int>, isAtStart: Bool) -> Progress {
        let active = closure(of: nodes, isAtStart: isAtStart, isAtEnd: false)
        if active.contains(accepted) { return Progress(nodes: [], mayEnd: true, isComplete: true) }
        let waiting = active.filter { node in
            links[node].contains { link in
                switch link {
                case .reading, .atEnd: true
                case .always, .atStart: false
                }
            }
        }
        let mayEnd = closure(of: waiting, isAtStart: isAtStart, isAtEnd: true).contains(accepted)
        return Progress(nodes: waiting.sorted(), mayEnd: mayEnd)
    }

    /// The nodes that are active together with `nodes`.
    private mutating func closure(of nodes: Set<Int>, isAtStart: Bool, isAtEnd: Bool) -> Set<Int> {
        var active = nodes
        var pending = Array(nodes)
        while let node = pending.popLast() {
            work += links[node].count
            for link in links[node] {
                let target: Int
                switch link {
                case .always(let next): target = next
                case .atStart(let next) where isAtStart: target = next
                case .atEnd(let next) where isAtEnd: target = next
                case .atStart, .atEnd, .reading: continue
                }
                if active.insert(target).inserted { pending.append(target) }
            }
        }
        return active
    }
}
