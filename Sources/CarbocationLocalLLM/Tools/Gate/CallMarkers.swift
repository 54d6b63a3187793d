/// The markers that matter outside of calls.
struct CallMarkers: Sendable {
    enum Kind: Sendable, Hashable {
        /// Begins a call in the envelope of this index.
        case opener(Int)
        /// Begins the section around the calls of a turn.
        case section
        /// Ends one, or a call that has ended already.
        case filler
    }

    private let automaton: MarkerAutomaton
    private let kinds: [Kind]

    /// The markers in text, or those that may stand behind a call.
    init(_ syntax: ToolCallSyntax, behindCall: Bool) {
        var markers: [(text: String, kind: Kind)] = []
        for (index, envelope) in syntax.envelopes.enumerated() where !envelope.isAtStartOnly {
            markers.append((envelope.opener, .opener(index)))
        }
        markers += syntax.sectionOpeners.map { ($0, .section) }
        if behindCall {
            markers += (syntax.sectionClosers + syntax.envelopes.flatMap(\.closers)).map { ($0, .filler) }
        }
        automaton = MarkerAutomaton(markers: markers.map(\.text))
        kinds = markers.map(\.kind)
    }

    struct Match {
        let kind: Kind
        let length: Int
    }

    /// The longest marker that ends with `byte`.
    func read(_ byte: UInt8, _ state: inout MarkerAutomaton.State) -> Match? {
        state = automaton.step(state, byte)
        guard let match = automaton.firstMatch(at: state, where: { _ in true }) else { return nil }
        return Match(kind: kinds[match.marker], length: match.length)
    }

    /// How many of the bytes read last may still become a marker.
    func heldLength(at state: MarkerAutomaton.State) -> Int {
        automaton.heldLength(at: state)
    }
}
