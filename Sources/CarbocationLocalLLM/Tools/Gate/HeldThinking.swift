/// Thinking text with calls in it, while it is open whether these count.
struct HeldThinking: Sendable {
    enum Item: Sendable {
        case text(String)
        /// White space and markers around calls.
        case filler(String)
        case calls([AdmittedCall], raw: String)
        case segmentEnd
    }

    private(set) var items: [Item] = []

    /// Whether a call was read, so that everything behind it has to wait.
    var isHolding: Bool { !items.isEmpty }

    mutating func append(_ item: Item) {
        items.append(item)
    }

    /// Gives out and forgets everything.
    mutating func take() -> [Item] {
        defer { items.removeAll() }
        return items
    }
}
