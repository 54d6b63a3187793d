/// How much of a prompt was in the KV cache already, and why not more.
struct PromptReuse: Equatable, Sendable {
    enum Reason: Equatable, Sendable {
        /// No job has left anything in the cache yet.
        case firstUse
        /// What earlier jobs left had to make room.
        case evicted
        /// No cached sequence begins as the prompt does.
        case noCommonPrefix
        /// A cached sequence was continued from its end.
        case wholeCache
        /// All of the prompt was cached; only its last token was computed again, for its logits.
        case wholePrompt
        /// The prompt leaves the cached sequence behind this many tokens.
        case diverged(at: Int)
        /// The memory went back to a checkpoint before the end of the common prefix.
        case restoredCheckpoint(commonPrefix: Int)
        /// The memory cannot drop a suffix, and no checkpoint helped.
        case cannotDropSuffix(commonPrefix: Int)
        /// A cached sequence begins as the prompt does, but giving it up would have cost more than it spared.
        case leftToOthers(commonPrefix: Int)
    }

    /// Tokens of the prompt that were not computed again.
    var cachedTokens = 0
    var reason = Reason.firstUse
}

extension PromptReuse {
    /// The reason for people: counts only, nothing of the prompt.
    var explanation: String {
        switch reason {
        case .firstUse: "nothing was computed before"
        case .evicted: "what was computed before had to make room"
        case .noCommonPrefix: "no earlier prompt begins the same way"
        case .wholeCache: "the prompt continues an earlier one and its reply"
        case .wholePrompt: "all of it but the last token, which is needed for the reply"
        case .diverged(let count): "the prompt differs from an earlier one after \(count) tokens"
        case .restoredCheckpoint(let common):
            "\(common) are the same as before, but this model can go back only to a checkpoint"
        case .cannotDropSuffix(let common):
            "\(common) are the same as before, but this model cannot drop what follows them"
        case .leftToOthers(let common):
            "\(common) are the same as before, but reusing them would have cost another conversation more"
        }
    }

    /// Names what came of `plan` after `kept` tokens really stayed in the cache.
    init(_ plan: PrefixPlan, kept: Int) {
        cachedTokens = kept
        reason =
            if plan.common == 0 {
                .noCommonPrefix
            } else if kept < plan.kept {
                kept > 0
                    ? .restoredCheckpoint(commonPrefix: plan.common) : .cannotDropSuffix(commonPrefix: plan.common)
            } else if plan.sharesWholePrompt {
                .wholePrompt
            } else {
                plan.removesSuffix ? .diverged(at: plan.common) : .wholeCache
            }
    }
}
