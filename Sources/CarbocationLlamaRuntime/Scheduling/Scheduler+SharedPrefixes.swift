/// Jobs that run at the same time compute a common prefix, such as the same system text, once.
extension Scheduler {
    /// Sharing fewer tokens than this is not worth waiting a step for.
    static let minimumShare = 32

    /// Tokens at the beginning of a new job that a running sequence has or will have.
    func sharedPrefix(of tokens: [Token]) -> Int {
        guard pool.copiesPrefixes else { return 0 }
        return running.map { PrefixPlan(cached: $0.ledger, tokens: tokens).kept }.max() ?? 0
    }

    /// Gives slots the prefixes that older ones have computed.
    ///
    /// - Returns: The slots that wait for a step because an older one is about to compute what they need.
    mutating func sharePrefixes() -> Set<Int> {
        var heldBack: Set<Int> = []
        for index in running.indices where !running[index].isDecoding && pool.copiesPrefixes {
            guard let (elder, plan, isComputed) = elder(for: index) else { continue }
            if isComputed {
                adopt(plan, of: elder, at: index)
            } else {
                heldBack.insert(index)
            }
        }
        return heldBack
    }

    /// The older slot whose tokens spare this one most, if that is worth it.
    private func elder(for index: Int) -> (elder: Int, plan: PrefixPlan, isComputed: Bool)? {
        let slot = running[index]
        var best: (elder: Int, plan: PrefixPlan, isComputed: Bool)?
        for elder in running[..<index].indices {
            let older = running[elder]
            let tokens = older.isDecoding ? older.cachedTokens : older.ledger[...]
            let plan = PrefixPlan(cached: tokens, tokens: slot.ledger)
            guard plan.kept - slot.cachedCount >= Self.minimumShare, plan.kept > best?.plan.kept ?? 0 else { continue }
            best = (elder, plan, older.cachedCount >= plan.kept)
        }
        return best
    }

    private mutating func adopt(_ plan: PrefixPlan, of elder: Int, at index: Int) {
        let slot = running[index]
        guard let kept = pool.share(plan.kept, of: running[elder].sequence, with: slot.sequence) else { return }
        let isFirstStart = slot.ledger.count == slot.job.prompt.count
        running[index].adopt(kept, reuse: isFirstStart ? PromptReuse(plan, kept: kept) : nil)
    }
}
