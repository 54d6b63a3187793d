/// A deterministic machine that reads a text scalar by scalar.
struct TextAutomaton: Sendable {
    struct Edge: Hashable, Sendable {
        var scalars: ScalarSet
        var target: Int
    }

    struct State: Hashable, Sendable {
        var isAccepting: Bool
        /// With sets that do not overlap, one edge for each target.
        var edges: [Edge]
    }

    /// A machine got too large to build.
    struct TooLarge: Error {}

    static let maximumStates = 50_000

    /// The start comes first; there are none if no text is accepted.
    private(set) var states: [State]

    var acceptsNothing: Bool { states.isEmpty }

    /// Builds the machine whose states are what `step` makes of `start`, as far as they can still accept.
    init<Key: Hashable>(
        from start: Key, limit: Int = maximumStates, accepts: (Key) -> Bool,
        step: (Key) throws(TooLarge) -> [(ScalarSet, Key)]
    ) throws(TooLarge) {
        var numbers = [start: 0]
        var keys = [start]
        var explored: [State] = []
        while explored.count < keys.count {
            let key = keys[explored.count]
            var scalars: [Int: ScalarSet] = [:]
            var order: [Int] = []
            for (set, next) in try step(key) where !set.isEmpty {
                let number = numbers[next] ?? keys.count
                if number == keys.count {
                    guard keys.count < limit else { throw TooLarge() }
                    numbers[next] = number
                    keys.append(next)
                }
                if scalars[number] == nil { order.append(number) }
                scalars[number] = scalars[number]?.union(set) ?? set
            }
            let edges = order.map { Edge(scalars: scalars[$0] ?? .none, target: $0) }
            explored.append(State(isAccepting: accepts(key), edges: edges))
        }
        states = explored
        keepStates(Self.accepting(explored))
        mergeEqualStates()
    }

    /// Replaces the states by those that are kept, the start first.
    mutating func keepStates(_ isKept: [Bool]) {
        guard states.indices.contains(0), isKept[0] else { return states = [] }
        var numbers = Array(repeating: -1, count: states.count)
        var count = 0
        for index in states.indices where isKept[index] {
            numbers[index] = count
            count += 1
        }
        states = states.indices.filter { isKept[$0] }.map { index in
            var state = states[index]
            state.edges = state.edges.filter { isKept[$0.target] }
            for edge in state.edges.indices { state.edges[edge].target = numbers[state.edges[edge].target] }
            return state
        }
    }

    /// Makes one of states that accept the same, as far as that shows without looking at circles.
    mutating func mergeEqualStates() {
        var didMerge = true
        var rounds = 0
        while didMerge, rounds < 8 {
            didMerge = false
            rounds += 1
            var representatives = Array(states.indices)
            var known: [State: Int] = [:]
            // Successors come mostly later, so going backwards merges whole chains at once.
            for index in postorder() {
                let state = Self.merged(states[index], representatives)
                states[index] = state
                if let other = known[state], other != index {
                    representatives[index] = other
                    didMerge = true
                } else {
                    known[state] = index
                }
            }
            for index in states.indices { states[index] = Self.merged(states[index], representatives) }
            if representatives.indices.contains(0), representatives[0] != 0 { swapToStart(representatives[0]) }
            keepStates(reachable())
        }
    }

    /// Whether the machine accepts the whole text.
    func accepts(_ text: some Sequence<Unicode.Scalar>) -> Bool {
        guard var state = states.first else { return false }
        for scalar in text {
            guard let edge = state.edges.first(where: { $0.scalars.contains(scalar.value) }) else { return false }
            state = states[edge.target]
        }
        return state.isAccepting
    }

    /// The machine that accepts what both accept.
    func intersection(_ other: TextAutomaton) throws(TooLarge) -> TextAutomaton {
        guard !acceptsNothing, !other.acceptsNothing else { return TextAutomaton.nothing }
        let accepts = { (pair: Pair) in states[pair.one].isAccepting && other.states[pair.two].isAccepting }
        return try TextAutomaton(from: Pair(one: 0, two: 0), accepts: accepts) { pair throws(TooLarge) in
            states[pair.one].edges.flatMap { edge in
                other.states[pair.two].edges.map { second in
                    (edge.scalars.intersection(second.scalars), Pair(one: edge.target, two: second.target))
                }
            }
        }
    }

    /// The machine that accepts the texts whose number of scalars lies within the bounds.
    func limited(toLengths minimum: Int, _ maximum: Int?) throws(TooLarge) -> TextAutomaton {
        guard !acceptsNothing, minimum > 0 || maximum != nil else { return self }
        let accepts = { (pair: Pair) in states[pair.one].isAccepting && pair.two >= minimum }
        return try TextAutomaton(from: Pair(one: 0, two: 0), accepts: accepts) { pair throws(TooLarge) in
            if let maximum, pair.two >= maximum { return [] }
            // Without an upper bound the count matters only as far as the lower one.
            let count = maximum == nil ? min(pair.two + 1, minimum) : pair.two + 1
            return states[pair.one].edges.map { ($0.scalars, Pair(one: $0.target, two: count)) }
        }
    }

    static let nothing = TextAutomaton(states: [])

    private init(states: [State]) {
        self.states = states
    }
}

extension TextAutomaton {
    private struct Pair: Hashable {
        var one: Int
        var two: Int
    }

    private static func merged(_ state: State, _ representatives: [Int]) -> State {
        var edges: [Edge] = []
        for edge in state.edges {
            let target = representatives[edge.target]
            if let index = edges.firstIndex(where: { $0.target == target }) {
                edges[index].scalars = edges[index].scalars.union(edge.scalars)
            } else {
                edges.append(Edge(scalars: edge.scalars, target: target))
            }
        }
        // In one order, so that equal states are seen to be equal.
        edges.sort { $0.scalars.ranges[0].lowerBound < $1.scalars.ranges[0].lowerBound }
        return State(isAccepting: state.isAccepting, edges: edges)
    }

    private mutating func swapToStart(_ index: Int) {
        states.swapAt(0, index)
        for state in states.indices {
            for edge in states[state].edges.indices {
                let target = states[state].edges[edge].target
                states[state].edges[edge].target = target == 0 ? index : target == index ? 0 : target
            }
        }
    }

    /// The states from which acceptance can be reached.
    private static func accepting(_ states: [State]) -> [Bool] {
        var sources = Array(repeating: [Int](), count: states.count)
        for (index, state) in states.enumerated() {
            for edge in state.edges { sources[edge.target].append(index) }
        }
        var pending = states.indices.filter { states[$0].isAccepting }
        var result = states.map(\.isAccepting)
        while let index = pending.popLast() {
            for source in sources[index] where !result[source] {
                result[source] = true
                pending.append(source)
            }
        }
        return result
    }

    private func reachable() -> [Bool] {
        var result = Array(repeating: false, count: states.count)
        for index in postorder() { result[index] = true }
        return result
    }

    /// The states that can be reached, each after those that it leads to, circles aside.
    private func postorder() -> [Int] {
        guard !states.isEmpty else { return [] }
        var isSeen = Array(repeating: false, count: states.count)
        var order: [Int] = []
        var path = [(state: 0, edge: 0)]
        isSeen[0] = true
        while let (state, edge) = path.last {
            guard edge < states[state].edges.count else {
                order.append(state)
                path.removeLast()
                continue
            }
            path[path.count - 1].edge += 1
            let target = states[state].edges[edge].target
            guard !isSeen[target] else { continue }
            isSeen[target] = true
            path.append((target, 0))
        }
        return order
    }
}
