/// What was drafted for a job.
struct DraftTally: Equatable, Sendable {
    /// Steps with a draft.
    var calls = 0
    /// Tokens drafted.
    var drafted = 0
    /// Tokens that the model would have chosen too.
    var accepted = 0
    /// Whether drafting ended because it was slower.
    var isStopped = false
}
