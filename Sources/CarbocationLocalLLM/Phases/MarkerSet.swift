/// Markers that are looked for at the same time, with what each of them means.
struct MarkerSet<Meaning: Sendable>: Sendable {
    struct Entry: Sendable {
        let length: Int
        let meaning: Meaning
        /// The token that has to be announced for the marker to count; nil when its text is enough.
        let token: String?
    }

    /// In the order that decides between markers of the same text.
    let entries: [Entry]
    let automaton: MarkerAutomaton
    /// The markers whose text is enough; nil when all are.
    let textAutomaton: MarkerAutomaton?

    /// Creates a set; empty markers never match, and of equal ones the first counts.
    init(_ markers: [(text: String, token: String?, meaning: Meaning)]) {
        entries = markers.map { Entry(length: $0.text.utf8.count, meaning: $0.meaning, token: $0.token) }
        automaton = MarkerAutomaton(markers: markers.map(\.text))
        textAutomaton =
            markers.contains { $0.token != nil }
            ? MarkerAutomaton(markers: markers.map { $0.token == nil ? $0.text : "" }) : nil
    }

    /// Whether there is nothing to look for.
    var isEmpty: Bool { entries.allSatisfy { $0.length == 0 } }
}
