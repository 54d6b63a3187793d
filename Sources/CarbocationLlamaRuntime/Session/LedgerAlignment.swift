/// Finds how far tokens that were computed or sampled earlier stand for the text of a prompt.
///
/// A model need not sample the tokens that its text would be cut into, and the KV cache knows only those that were
/// sampled. So a session keeps them, and lets them take the place of fresh ones for as long as both stand for the same
/// bytes. An opaque token, such as a control token, takes no other's place: it has to be there in both, at the same
/// byte. Fresh ones come from template text alone, so no text of a message can bring one in.
struct LedgerAlignment<Vocabulary: TokenVocabulary> {
    private let ledger: [Token]
    private let fresh: [Token]
    private let vocabulary: Vocabulary
    /// Tokens of both that were read.
    private var ledgerCount = 0
    private var freshCount = 0
    /// Bytes of tokens that were read, as far as the other side has not come to them; one of both is empty.
    private var ledgerAhead: ArraySlice<UInt8> = []
    private var freshAhead: ArraySlice<UInt8> = []
    /// The last place where tokens of both end.
    private var boundary = (ledger: 0, fresh: 0)

    /// The tokens of a prompt.
    ///
    /// - Parameters:
    ///   - fresh: What its text was cut into.
    ///   - ledger: Tokens of the prompt before and of its reply.
    ///   - vocabulary: What the tokens stand for.
    /// - Returns: Tokens of the same bytes as `fresh`, the first of them from `ledger`.
    static func tokens(for fresh: [Token], ledger: [Token], vocabulary: Vocabulary) -> [Token] {
        guard !ledger.isEmpty else { return fresh }
        var alignment = Self(ledger: ledger, fresh: fresh, vocabulary: vocabulary)
        alignment.walk()
        return alignment.completed() ?? alignment.cutAtBoundary
    }

    private init(ledger: [Token], fresh: [Token], vocabulary: Vocabulary) {
        self.ledger = ledger
        self.fresh = fresh
        self.vocabulary = vocabulary
    }

    private var cutAtBoundary: [Token] { Array(ledger[..<boundary.ledger] + fresh[boundary.fresh...]) }

    /// Reads both until they differ or one of them ends.
    private mutating func walk() {
        while true {
            if ledgerAhead.isEmpty && freshAhead.isEmpty {
                boundary = (ledgerCount, freshCount)
                guard ledgerCount < ledger.count, freshCount < fresh.count else { return }
                if ledger[ledgerCount] == fresh[freshCount] {
                    ledgerCount += 1
                    freshCount += 1
                    continue
                }
            }
            guard ledgerAhead.isEmpty ? readLedger() : readFresh() else { return }
            let common = min(ledgerAhead.count, freshAhead.count)
            guard ledgerAhead.prefix(common) == freshAhead.prefix(common) else { return }
            ledgerAhead = ledgerAhead.dropFirst(common)
            freshAhead = freshAhead.dropFirst(common)
        }
    }

    private mutating func readLedger() -> Bool {
        guard ledgerCount < ledger.count, !vocabulary.isOpaque(ledger[ledgerCount]) else { return false }
        ledgerAhead = vocabulary.promptBytes(of: ledger[ledgerCount])[...]
        ledgerCount += 1
        return true
    }

    private mutating func readFresh() -> Bool {
        guard freshCount < fresh.count, !vocabulary.isOpaque(fresh[freshCount]) else { return false }
        freshAhead = vocabulary.promptBytes(of: fresh[freshCount])[...]
        freshCount += 1
        return true
    }

    /// All of the ledger, if it ends within a fresh token, and the rest of the text cut anew from there.
    ///
    /// That is so where a template ends replies with plain text, which joins them.
    private func completed() -> [Token]? {
        guard ledgerCount == ledger.count, ledgerAhead.isEmpty, !freshAhead.isEmpty else { return nil }
        let plainEnd = fresh[freshCount...].firstIndex { vocabulary.isOpaque($0) } ?? fresh.endIndex
        var text = Array(freshAhead)
        for token in fresh[freshCount..<plainEnd] { text += vocabulary.promptBytes(of: token) }
        guard let tail = try? vocabulary.plainTokens(of: text), !tail.contains(where: vocabulary.isOpaque),
            tail.flatMap(vocabulary.promptBytes) == text
        else { return nil }
        return ledger + tail + fresh[plainEnd...]
    }
}
