/// The sequences of a context: which ones jobs run in, what idle ones hold, and how many cells all that takes.
///
/// All changes of the memory other than decoding go through it, so its books and the memory agree.
struct SequencePool {
    /// An idle sequence that a new one could build on.
    private struct Candidate {
        let cache: IdleCache
        let plan: PrefixPlan
        /// Tokens that would stay if the job went on in it.
        let usable: Int
        /// Tokens that it could share and keep.
        let copyable: Int
    }

    private let context: any DecodingContext
    private let sequences: Range<Int32>
    private(set) var usage = CellUsage()
    /// Oldest first.
    private(set) var idle: [IdleCache] = []
    /// Whether sequences can share cells, as far as is known.
    private(set) var copiesPrefixes: Bool
    private var inUse: Set<Int32> = []
    /// Sequences that the context could not clear; they are never used again.
    private var lost: Set<Int32> = []
    private var checkpoints: CheckpointStore
    private var hasEvicted = false

    init(context: any DecodingContext, count: Int, checkpointLimit: Int = CheckpointStore.maximumBytes) {
        self.context = context
        sequences = 0..<Int32(count)
        copiesPrefixes = context.copiesPrefixes
        checkpoints = CheckpointStore(limit: checkpointLimit)
    }

    /// Whether every sequence is lost.
    var isLost: Bool { lost.count == sequences.count }

    private var freeSequence: Int32? {
        sequences.first { sequence in
            !lost.contains(sequence) && !inUse.contains(sequence) && !idle.contains { $0.sequence == sequence }
        }
    }
}

// MARK: - Beginning

extension SequencePool {
    /// How a job with these tokens could begin now; nil when it has to wait.
    ///
    /// - Parameters:
    ///   - tokens: All that the sequence has to hold before the next token is sampled.
    ///   - room: Cells that must be free beside `tokens`: for the output, and what running jobs still have to compute.
    ///   - shared: Tokens at its beginning that it can have from a running sequence.
    /// - Returns: Where to begin and what to evict for it.
    func admission(of tokens: [Token], room: Int, shared: Int) -> Admission? {
        let best = bestCache(for: tokens)
        let options = best.map { self.options($0, shared: shared) } ?? [.empty]
        for (index, source) in options.enumerated() {
            let kept =
                switch source {
                case .idle: best?.usable ?? 0
                case .copy: best?.copyable ?? 0
                case .empty: 0
                }
            let isLast = index == options.count - 1
            let needed = room + tokens.count - kept
            guard
                let evicted = evictions(for: source, keeping: kept, needed: needed, mayExceed: isLast && inUse.isEmpty)
            else { continue }
            let plan = best?.plan ?? PrefixPlan(cached: [], tokens: tokens)
            return Admission(source: source, plan: plan, evicted: evicted, emptyReason: emptyReason(best))
        }
        return nil
    }

    /// Makes a sequence ready; nil when it was lost over that.
    mutating func begin(_ admission: Admission) -> (sequence: Int32, reuse: PromptReuse)? {
        admission.evicted.forEach { evict($0) }
        switch admission.source {
        case .idle(let sequence):
            idle.removeAll { $0.sequence == sequence }
            let plan = admission.plan
            let kept = plan.removesSuffix ? rewind(sequence, to: plan.kept) : plan.kept
            guard !lost.contains(sequence) else { return nil }
            inUse.insert(sequence)
            return (sequence, PromptReuse(plan, kept: kept))
        case .copy(let source):
            guard let sequence = freeSequence else { return nil }
            inUse.insert(sequence)
            let kept = copy(admission.plan.kept, of: source, to: sequence)
            guard !lost.contains(sequence) else { return nil }
            return (sequence, PromptReuse(admission.plan, kept: kept))
        case .empty:
            guard let sequence = freeSequence else { return nil }
            inUse.insert(sequence)
            return (sequence, PromptReuse(cachedTokens: 0, reason: admission.emptyReason))
        }
    }

    /// The idle sequence that spares `tokens` most, the latest one of several.
    private func bestCache(for tokens: [Token]) -> Candidate? {
        var best: Candidate?
        for cache in idle {
            let candidate = candidate(cache, for: tokens)
            if let best, (candidate.usable, candidate.plan.common) < (best.usable, best.plan.common) { continue }
            best = candidate
        }
        return best
    }

    private func candidate(_ cache: IdleCache, for tokens: [Token]) -> Candidate {
        let plan = PrefixPlan(cached: cache.tokens, tokens: tokens)
        let saved = checkpoints.latest(of: cache.sequence, within: plan.kept)?.count ?? 0
        let staysAsPlanned =
            plan.kept == 0 || !plan.removesSuffix || context.canRemoveSuffix(of: cache.sequence, from: plan.kept)
        return Candidate(
            cache: cache, plan: plan, usable: staysAsPlanned ? plan.kept : saved,
            copyable: copiesPrefixes ? plan.kept : saved)
    }

    /// Ways to begin, the preferred one first.
    ///
    /// A cache is left to its own conversation when the prompt is of another one and the prefix can be had without it.
    private func options(_ best: Candidate, shared: Int) -> [Admission.Source] {
        let (sequence, usable) = (best.cache.sequence, best.usable)
        if usable == 0 || shared >= usable { return [.empty] }
        if !best.plan.removesSuffix || best.cache.isContinued(byPromptSharing: best.plan.common) {
            return [.idle(sequence)]
        }
        let isNextToGo = freeSequence == nil && idle.first?.sequence == sequence
        if best.copyable >= usable && !isNextToGo { return [.copy(of: sequence), .idle(sequence)] }
        if best.copyable >= usable || usable * 2 >= best.cache.tokens.count { return [.idle(sequence)] }
        return best.copyable > 0 && !isNextToGo ? [.copy(of: sequence), .empty] : [.empty]
    }

    /// Idle sequences that have to go so that a sequence and `needed` more cells are free, oldest first.
    ///
    /// Nil when even all of them do not suffice, unless `mayExceed`.
    private func evictions(
        for source: Admission.Source, keeping kept: Int, needed: Int, mayExceed: Bool
    ) -> [Int32]? {
        var rest = idle[...]
        var trial = usage
        var needsSequence = freeSequence == nil
        switch source {
        case .idle(let sequence):
            trial.cut(sequence, to: kept)
            needsSequence = false
            rest = idle.filter { $0.sequence != sequence }[...]
        case .copy(let sequence): rest = idle.filter { $0.sequence != sequence }[...]
        case .empty: break
        }
        var evicted: [Int32] = []
        while needsSequence || trial.total + needed > context.cellCount {
            guard let oldest = rest.popFirst() else { return mayExceed && !needsSequence ? evicted : nil }
            trial.cut(oldest.sequence, to: 0)
            evicted.append(oldest.sequence)
            needsSequence = false
        }
        return evicted
    }

    private func emptyReason(_ best: Candidate?) -> PromptReuse.Reason {
        guard let best else {
            guard inUse.isEmpty else { return .noCommonPrefix }
            return hasEvicted ? .evicted : .firstUse
        }
        guard best.plan.common > 0 else { return .noCommonPrefix }
        if best.plan.kept == 0 { return .wholePrompt }
        return best.usable == 0
            ? .cannotDropSuffix(commonPrefix: best.plan.common) : .leftToOthers(commonPrefix: best.plan.common)
    }
}

// MARK: - Running and ending

extension SequencePool {
    /// Enters tokens that were computed.
    mutating func append(_ count: Int, to sequence: Int32) {
        usage.append(count, to: sequence)
    }

    /// Takes a sequence back to its first `count` tokens, or to fewer of them, whatever it holds behind them.
    ///
    /// - Returns: The tokens that it holds now.
    mutating func rewind(_ sequence: Int32, to count: Int) -> Int {
        var kept = 0
        if count > 0 && context.removeSuffix(of: sequence, from: count) {
            kept = count
        } else if let checkpoint = checkpoints.latest(of: sequence, within: count),
            context.restoreCheckpoint(checkpoint.bytes, of: sequence, count: checkpoint.count)
        {
            kept = checkpoint.count
        } else {
            clear(sequence)
        }
        usage.cut(sequence, to: kept)
        checkpoints.cut(sequence, to: kept)
        return kept
    }

    /// Lets a running sequence begin with the first `count` tokens of another one instead of what it holds.
    ///
    /// - Returns: The tokens that it holds now; nil when nothing changed.
    mutating func share(_ count: Int, of source: Int32, with target: Int32) -> Int? {
        guard copiesPrefixes, context.removeSuffix(of: target, from: 0) else { return nil }
        usage.cut(target, to: 0)
        return copy(count, of: source, to: target)
    }

    /// The job of a sequence is over; what it holds stays for the next ones.
    mutating func retire(_ sequence: Int32, tokens: some Collection<Token>, promptCount: Int) {
        inUse.remove(sequence)
        guard !lost.contains(sequence) else { return }
        guard !tokens.isEmpty else { return clear(sequence) }
        idle.append(IdleCache(sequence: sequence, tokens: Array(tokens), promptCount: promptCount))
    }

    /// The job of a sequence is over, and what it holds goes.
    mutating func discard(_ sequence: Int32) {
        inUse.remove(sequence)
        clear(sequence)
    }

    /// Clears the oldest idle sequence; false when there is none.
    mutating func evictOldest() -> Bool {
        guard let oldest = idle.first else { return false }
        evict(oldest.sequence)
        return true
    }

    /// Where a sequence that begins with `kept` of these tokens shall get checkpoints while it is computed.
    ///
    /// Near the end of the prompt, and where it left `common` tokens that others began with too.
    func checkpointPositions(for tokens: [Token], of sequence: Int32, kept: Int, common: Int) -> [Int] {
        var last = checkpoints.latest(of: sequence, within: kept)?.count ?? 0
        var positions: [Int] = []
        for position in [common, tokens.count - CheckpointStore.tail].sorted() {
            guard position > kept, position < tokens.count, position - last >= CheckpointStore.minimumDistance,
                context.needsCheckpoint(at: position)
            else { continue }
            positions.append(position)
            last = position
        }
        return positions
    }

    /// Saves what a sequence of `count` tokens needs to return to them.
    mutating func saveCheckpoint(of sequence: Int32, count: Int) {
        guard let bytes = context.saveCheckpoint(of: sequence, limit: checkpoints.limit) else { return }
        checkpoints.add(CheckpointStore.Checkpoint(sequence: sequence, count: count, bytes: bytes))
    }

    /// Lets the empty `target` begin as `source`; returns with how many tokens, at most `count`.
    private mutating func copy(_ count: Int, of source: Int32, to target: Int32) -> Int {
        guard copiesPrefixes else { return copyCheckpoint(within: count, of: source, to: target) }
        guard context.copyPrefix(of: source, to: target, count: count) else {
            copiesPrefixes = false
            return 0
        }
        usage.share(count, of: source, with: target)
        return count
    }

    private mutating func copyCheckpoint(within count: Int, of source: Int32, to target: Int32) -> Int {
        guard let checkpoint = checkpoints.latest(of: source, within: count) else { return 0 }
        let (bytes, count) = (checkpoint.bytes, checkpoint.count)
        guard context.copyCheckpoint(bytes, of: source, to: target, count: count) else {
            clear(target)
            return 0
        }
        usage.share(count, of: source, with: target)
        checkpoints.add(CheckpointStore.Checkpoint(sequence: target, count: count, bytes: bytes))
        return count
    }

    private mutating func evict(_ sequence: Int32) {
        idle.removeAll { $0.sequence == sequence }
        hasEvicted = true
        clear(sequence)
    }

    private mutating func clear(_ sequence: Int32) {
        usage.cut(sequence, to: 0)
        checkpoints.cut(sequence, to: 0)
        if !context.removeSuffix(of: sequence, from: 0) { lost.insert(sequence) }
    }
}

// MARK: - States

extension SequencePool {
    /// What the idle sequence that was used last holds; nil when there is none or it cannot be saved.
    func exportIdle() -> SequenceState? {
        guard let cache = idle.last, let bytes = context.saveState(of: cache.sequence) else { return nil }
        let checkpoints = checkpoints.all(of: cache.sequence).map {
            SequenceState.Checkpoint(count: $0.count, bytes: $0.bytes)
        }
        return SequenceState(
            tokens: cache.tokens, promptCount: cache.promptCount, bytes: bytes, checkpoints: checkpoints)
    }

    /// Makes an idle sequence of what another one held; false when some sequence holds anything, there is no room, or
    /// the memory refuses.
    mutating func importIdle(_ state: SequenceState) -> Bool {
        let count = state.tokens.count
        guard count > 0, count <= context.cellCount, usage.total == 0, inUse.isEmpty, let sequence = freeSequence
        else { return false }
        guard context.restoreState(state.bytes, of: sequence, count: count) else {
            clear(sequence)
            return false
        }
        usage.append(count, to: sequence)
        idle.append(IdleCache(sequence: sequence, tokens: state.tokens, promptCount: state.promptCount))
        for saved in state.checkpoints where saved.count <= count {
            checkpoints.add(CheckpointStore.Checkpoint(sequence: sequence, count: saved.count, bytes: saved.bytes))
        }
        return true
    }

    /// Forgets what jobs have left, as if none had run.
    mutating func clearIdle() {
        let sequences = idle.map(\.sequence)
        idle = []
        sequences.forEach { clear($0) }
        hasEvicted = false
    }
}
