/// Guesses how the sequence of one job goes on; whether a guess is right, the model says.
///
/// The inference thread alone uses it.
protocol Drafter: AnyObject, Sendable {
    /// Whether drafting takes time that counts, so that it is only asked for what pays.
    var isCostly: Bool { get }

    /// Reads some of the first `count` of a job's tokens, which are in the model's cache; true when it has read them all.
    ///
    /// Called between steps until it has, so that drafting does not begin with all of a prompt.
    func read(_ tokens: [Token], upTo count: Int, in sequence: Int32) -> Bool

    /// What a draft behind these tokens would be worth; nil when there is nothing to go by.
    ///
    /// Takes microseconds. The tokens only ever grow from call to call.
    func outlook(after tokens: [Token]) -> DraftOutlook?

    /// At most `count` tokens that may follow; fewer, or none, when the drafter is not sure of them.
    ///
    /// Asked for what ``outlook(after:)`` has just given.
    func draft(after tokens: [Token], count: Int, in sequence: Int32) -> [Token]

    /// So many tokens of the last draft stayed.
    func accept(_ count: Int, in sequence: Int32)
}

/// A drafter that needs nothing but the tokens.
extension Drafter {
    func read(_ tokens: [Token], upTo count: Int, in sequence: Int32) -> Bool { true }
    func accept(_ count: Int, in sequence: Int32) {}
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
