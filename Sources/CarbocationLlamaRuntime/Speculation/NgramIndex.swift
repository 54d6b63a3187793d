/// Where in a growing list of tokens its last ones occurred before.
///
/// Adding a token and asking take constant time. It remembers where each group of ``groupLength`` tokens ended last,
/// and for each place where the same group ended before that.
struct NgramIndex: Sendable {
    /// An earlier place that looks like the end of the list.
    struct Match: Equatable {
        /// Index of the token that followed.
        var next: Int
        /// Tokens in front of it that are the same as the last ones, at most ``NgramIndex/longestMatch``.
        var length: Int
    }

    /// Tokens that have to be the same for a match.
    static let groupLength = 3
    /// Matches are not told apart beyond that length.
    static let longestMatch = 32
    /// Earlier places that are compared; the latest of the best ones wins.
    static let candidates = 8

    /// Where a group ended last, as the index behind it.
    private var ends: [UInt64: Int32] = [:]
    /// For the index behind each token, where its group ended before; 0 for nowhere.
    private var earlierEnds: [Int32] = []

    /// Tokens it knows.
    var count: Int { earlierEnds.count }

    /// Takes the tokens that it does not know yet; `tokens` begins with those that it knows.
    mutating func extend(to tokens: [Token]) {
        guard tokens.count <= Int(Int32.max) else { return }
        earlierEnds.reserveCapacity(tokens.count)
        for end in (count + 1)..<max(count + 1, tokens.count + 1) {
            guard end >= Self.groupLength else {
                earlierEnds.append(0)
                continue
            }
            earlierEnds.append(ends.updateValue(Int32(end), forKey: Self.key(tokens, end)) ?? 0)
        }
    }

    /// The best earlier place that looks like the end of `tokens`, all of which it knows.
    func match(in tokens: [Token]) -> Match? {
        guard count == tokens.count, var end = earlierEnds.last.map(Int.init), end > 0 else { return nil }
        var best: Match?
        for _ in 0..<Self.candidates where end > 0 {
            let length = Self.commonLength(tokens, end)
            if length >= Self.groupLength, length > best?.length ?? 0 { best = Match(next: end, length: length) }
            if best?.length == Self.longestMatch { break }
            end = Int(earlierEnds[end - 1])
        }
        return best
    }

    /// How many tokens in front of `end` are the same as the last ones.
    private static func commonLength(_ tokens: [Token], _ end: Int) -> Int {
        var length = 0
        while length < min(longestMatch, end), tokens[end - 1 - length] == tokens[tokens.count - 1 - length] {
            length += 1
        }
        return length
    }

    /// Vocabularies have fewer than 2²¹ tokens; were there more, equal keys would still be compared token by token.
    private static func key(_ tokens: [Token], _ end: Int) -> UInt64 {
        var key: UInt64 = 0
        for token in tokens[(end - groupLength)..<end] { key = key << 21 ^ UInt64(UInt32(bitPattern: token)) }
        return key
    }
}
