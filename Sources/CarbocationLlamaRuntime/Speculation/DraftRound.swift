/// The drafts of one step.
struct DraftRound: Sendable {
    struct Draft: Sendable {
        var kind: DraftOutlook.Kind
        var tokens: [Token]
    }

    /// By index of the slot.
    var drafts: [Int: Draft] = [:]
    /// What making them took.
    var seconds = 0.0
}
