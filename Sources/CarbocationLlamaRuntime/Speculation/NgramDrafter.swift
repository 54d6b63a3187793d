/// Drafts what followed the last tokens when they occurred before, in the prompt or in the output.
// `@unchecked` because the inference thread alone uses it.
final class NgramDrafter: Drafter, @unchecked Sendable {
    private var index = NgramIndex()
    private var match: NgramIndex.Match?

    let isCostly = false

    func outlook(after tokens: [Token]) -> DraftOutlook? {
        index.extend(to: tokens)
        match = index.match(in: tokens)
        guard let match else { return nil }
        let kind: DraftOutlook.Kind =
            switch match.length {
            case ..<5: .shortMatch
            case ..<12: .match
            default: .longMatch
            }
        return DraftOutlook(kind: kind, count: SpeculationMethod.mostDraftTokens)
    }

    func draft(after tokens: [Token], count: Int, in sequence: Int32) -> [Token] {
        guard let match else { return [] }
        // What was repeated lately is expected to be repeated again and again.
        let period = tokens.count - match.next
        return (0..<count).map { tokens[match.next + $0 % period] }
    }
}
