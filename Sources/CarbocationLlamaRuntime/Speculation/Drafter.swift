/// Guesses how the sequence of one job goes on; whether a guess is right, the model says.
///
/// The inference thread alone uses it.
protocol Drafter: AnyObject, Sendable {
    /// Whether drafting takes time that counts, so that it is only asked for what pays.
    var isCostly: Bool { get }

    /// What a draft behind these tokens would be worth; nil when there is nothing to go by.
    ///
    /// Takes microseconds. The tokens only ever grow from call to call.
    func outlook(after tokens: [Token]) -> DraftOutlook?

    /// At most `count` tokens that may follow; fewer, or none, when the drafter is not sure of them.
    ///
    /// Asked for what ``outlook(after:)`` has just given.
    func draft(after tokens: [Token], count: Int, in sequence: Int32) -> [Token]
}

/// What a draft would be worth.
struct DraftOutlook: Equatable, Sendable {
    /// Drafts of the same kind are accepted about as often as each other.
    enum Kind: Int, CaseIterable, Sendable {
        /// Repeats what followed a short match; a longer one; one longer than most coincidences.
        case shortMatch, match, longMatch
        /// What another model expects.
        case prediction
    }

    var kind: Kind
    /// Tokens that can be drafted, at least 1.
    var count: Int
}
