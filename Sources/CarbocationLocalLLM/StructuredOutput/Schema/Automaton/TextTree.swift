/// Collects texts into the machine that accepts just these.
struct TextTree {
    private static let maximumStates = 300_000

    private var targets: [[Unicode.Scalar: Int]] = [[:]]
    private var ends: Set<Int> = []

    /// Adds a text each of whose parts may be written in several ways.
    ///
    /// Ways of one part must tell themselves apart by their first scalar, and stay the same for the same part.
    mutating func insert(_ parts: [[String]]) {
        var state = 0
        for spellings in parts {
            let first = spellings.first.map { follow($0.unicodeScalars, from: state) } ?? state
            for spelling in spellings.dropFirst() { join(spelling.unicodeScalars, from: state, to: first) }
            state = first
        }
        ends.insert(state)
    }

    func automaton() throws(TextAutomaton.TooLarge) -> TextAutomaton {
        try TextAutomaton(from: 0, limit: Self.maximumStates, accepts: ends.contains) {
            state throws(TextAutomaton.TooLarge) in
            targets[state].map { (ScalarSet($0.key), $0.value) }
        }
    }

    private mutating func follow(_ scalars: some Sequence<Unicode.Scalar>, from start: Int) -> Int {
        var state = start
        for scalar in scalars {
            if let known = targets[state][scalar] {
                state = known
            } else {
                targets.append([:])
                targets[state][scalar] = targets.count - 1
                state = targets.count - 1
            }
        }
        return state
    }

    private mutating func join(_ scalars: some BidirectionalCollection<Unicode.Scalar>, from start: Int, to end: Int) {
        guard let last = scalars.last else { return }
        targets[follow(scalars.dropLast(), from: start)][last] = end
    }
}
