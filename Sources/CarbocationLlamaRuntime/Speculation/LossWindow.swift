/// How much later than without drafts the last tokens of a job came, in units of plain tokens.
///
/// The bound holds for the worst run of tokens that ends now, not for the sum: what was gained before it is spent.
struct LossWindow: Sendable {
    private struct Entry {
        var tokens: Int
        var loss: Double
    }

    /// Tokens that it looks back on.
    static let length = 256

    /// Oldest first.
    private var entries: [Entry] = []
    private var tokens = 0
    /// The loss of the worst run of tokens that ends now, at least 0.
    private(set) var worst = 0.0

    /// Takes a step that gave so many tokens and took that much longer than they would have; gains are negative.
    mutating func note(tokens count: Int, loss: Double) {
        if loss == 0, let last = entries.last, last.loss == 0 {
            entries[entries.count - 1].tokens += count
        } else {
            entries.append(Entry(tokens: count, loss: loss))
        }
        tokens += count
        while let first = entries.first, tokens - first.tokens >= Self.length {
            tokens -= first.tokens
            entries.removeFirst()
        }
        var sum = 0.0
        worst = 0
        for entry in entries.reversed() {
            sum += entry.loss
            worst = max(worst, sum)
        }
    }
}
