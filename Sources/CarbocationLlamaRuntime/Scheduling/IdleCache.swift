/// A sequence that no job runs in, and the tokens that it still holds in the KV cache.
struct IdleCache: Equatable, Sendable {
    let sequence: Int32
    /// Prompt and reply of the job that ran last, as far as they were computed.
    let tokens: [Token]
    /// How many of them were the prompt.
    let promptCount: Int

    /// Whether a prompt with that much in common goes on where the job began to write.
    ///
    /// Else it is another conversation. Templates write the very end of a prompt differently once the reply follows.
    func isContinued(byPromptSharing common: Int) -> Bool {
        common + CheckpointStore.tail >= promptCount
    }
}

/// Where a job's sequence begins, and what has to go first.
struct Admission: Equatable, Sendable {
    enum Source: Equatable, Sendable {
        /// Goes on in an idle sequence, whose suffix goes.
        case idle(Int32)
        /// Shares the prefix of an idle sequence, which stays.
        case copy(of: Int32)
        /// Begins with nothing.
        case empty
    }

    var source: Source
    /// What the source has in common with the job's tokens; what the best idle sequence has, if it is not used.
    var plan: PrefixPlan
    /// Idle sequences to clear, oldest first.
    var evicted: [Int32] = []
    /// Why nothing is reused, when the source is empty.
    var emptyReason = PromptReuse.Reason.noCommonPrefix
}
