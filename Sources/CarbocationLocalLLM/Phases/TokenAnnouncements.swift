/// Where the vocabulary's own marker tokens begin in the text.
///
/// The place is approximate: bytes before the token that make no character yet are counted by those who announce it,
/// but appear as a replacement character.
struct TokenAnnouncements: Sendable {
    private static let tolerance = 3

    private var announced: [(token: String, position: Int)] = []
    private var lastEnd = -1

    mutating func add(_ token: String, at position: Int) {
        announced.append((token, position))
        lastEnd = max(lastEnd, position + token.utf8.count + Self.tolerance)
    }

    /// Whether a token may still end at `position` or later.
    func isAwaited(at position: Int) -> Bool {
        position <= lastEnd
    }

    /// Whether the text at `position` is that token.
    func contains(_ token: String, at position: Int) -> Bool {
        announced.contains { abs($0.position - position) <= Self.tolerance && $0.token == token }
    }

    /// Drops the tokens before `position`, which cannot occur any more.
    mutating func forget(before position: Int) {
        guard let first = announced.first, first.position + Self.tolerance < position else { return }
        announced.removeAll { $0.position + Self.tolerance < position }
    }
}
