/// The markers at which the body of a call ends.
struct CallTerminators: Sendable {
    private let automaton: MarkerAutomaton
    /// The first markers belong to the call; before the others, which begin something else, it just ends.
    private let closerCount: Int

    init(closers: [String], boundaries: [String]) {
        let markers = closers + boundaries.filter { !closers.contains($0) }
        automaton = MarkerAutomaton(markers: markers)
        closerCount = closers.count
    }

    struct Match {
        /// How long the marker is.
        let length: Int
        let isCloser: Bool
    }

    /// The marker that ends with `byte`.
    func read(_ byte: UInt8, _ state: inout MarkerAutomaton.State) -> Match? {
        state = automaton.step(state, byte)
        guard let match = automaton.firstMatch(at: state, where: { _ in true }) else { return nil }
        return Match(length: match.length, isCloser: match.marker < closerCount)
    }

    /// How many of the bytes read last may still become a marker.
    func heldLength(at state: MarkerAutomaton.State) -> Int {
        automaton.heldLength(at: state)
    }
}
