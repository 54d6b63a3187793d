/// Finds the tags that matter in the body of a tagged call.
struct TagMatcher: Sendable {
    enum Kind: Sendable, Hashable {
        /// Ends the call and belongs to it.
        case closer
        /// Begins something else, so that the call ends before it.
        case boundary
        case valueOpener, valueCloser, callOpener, callCloser
    }

    struct Match {
        let kind: Kind
        let length: Int
    }

    private let automaton: MarkerAutomaton
    private let kinds: [Kind]

    /// Creates a matcher; of equal tags the kind that is named first here counts.
    init(syntax: TaggedCallSyntax, closers: [String], boundaries: [String]) {
        // Where a key and its value have tags of their own, only the value's content is free text.
        let hasKeyTags = !syntax.valuePrefix.isEmpty
        let groups: [(Kind, [String])] = [
            (.closer, closers),
            (.boundary, boundaries),
            (.valueOpener, [hasKeyTags ? syntax.valuePrefix : syntax.parameter.prefix]),
            (.valueCloser, [syntax.valueClose] + (hasKeyTags ? [syntax.parameter.end] : [])),
            (.callOpener, [syntax.function.prefix]),
            (.callCloser, [syntax.functionClose]),
        ]
        automaton = MarkerAutomaton(markers: groups.flatMap(\.1))
        kinds = groups.flatMap { group in group.1.map { _ in group.0 } }
    }

    /// The tag that ends with `byte`.
    func read(_ byte: UInt8, _ state: inout MarkerAutomaton.State) -> Match? {
        state = automaton.step(state, byte)
        guard let match = automaton.firstMatch(at: state, where: { _ in true }) else { return nil }
        return Match(kind: kinds[match.marker], length: match.length)
    }

    /// How many of the bytes read last may still become a tag.
    func heldLength(at state: MarkerAutomaton.State) -> Int {
        automaton.heldLength(at: state)
    }
}
