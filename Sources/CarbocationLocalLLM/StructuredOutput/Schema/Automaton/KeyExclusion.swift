import Foundation

/// The texts that are none of some keys.
struct KeyExclusion {
    private var targets: [[Unicode.Scalar: Int]] = [[:]]
    private var ends: Set<Int> = []
    /// Stands for every text that is no beginning of a key.
    private static let free = -1

    /// Excludes the keys also with their accents composed or decomposed, which count as the same key.
    init(_ keys: [String]) {
        for key in keys {
            insert(key)
            insert(key.precomposedStringWithCanonicalMapping)
            insert(key.decomposedStringWithCanonicalMapping)
        }
    }

    func automaton() throws(TextAutomaton.TooLarge) -> TextAutomaton {
        try TextAutomaton(from: 0, accepts: { !ends.contains($0) }) { state throws(TextAutomaton.TooLarge) in
            guard state != Self.free else { return [(.all, Self.free)] }
            let ways = targets[state].map { (ScalarSet($0.key), $0.value) }
            let known = ScalarSet(targets[state].keys.map { $0.value...$0.value })
            return ways + [(known.complement, Self.free)]
        }
    }

    private mutating func insert(_ key: String) {
        var state = 0
        for scalar in key.unicodeScalars {
            if let known = targets[state][scalar] {
                state = known
            } else {
                targets.append([:])
                targets[state][scalar] = targets.count - 1
                state = targets.count - 1
            }
        }
        ends.insert(state)
    }
}
