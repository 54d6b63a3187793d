import CarbocationLocalLLM

/// Serves several jobs on one context: continuous batching, one request being the batch of one.
///
/// Confined to the inference thread. It decides which jobs run; their sequences are the pool's.
struct Scheduler {
    /// Output tokens that must fit beside a prompt before a job starts.
    static let startReserve = 256

    let context: any DecodingContext
    private let maximumSequences: Int
    private var waiting: [GenerationJob] = []
    private var suspended: [Slot] = []
    private var admissions: UInt64 = 0
    /// In the order of admission.
    var running: [Slot] = []
    var pool: SequencePool
    /// Nil decodes one token at a time.
    var speculation: Speculation?
    /// The drafts of the step that was planned last.
    private(set) var round = DraftRound()
    /// Whether the next step has no drafts, because the cells did not suffice for the last one.
    var leavesOutDrafts = false

    init(context: any DecodingContext, maximumSequences: Int, speculation: Speculation? = nil) {
        self.context = context
        self.speculation = speculation
        // With more decoding slots than a batch has entries, some of them and every prompt would wait for the others.
        self.maximumSequences = min(maximumSequences, max(1, context.batchSize - 1))
        pool = SequencePool(context: context, count: self.maximumSequences)
    }

    var isIdle: Bool { waiting.isEmpty && running.isEmpty && suspended.isEmpty }

    mutating func submit(_ job: GenerationJob) {
        waiting.append(job)
    }

    /// Ends the job with this id, wherever it is.
    mutating func cancel(_ id: GenerationJob.ID) {
        if let index = waiting.firstIndex(where: { $0.id == id }) {
            waiting.remove(at: index).output.finish(JobOutcome(end: .cancelled, generatedTokens: 0))
        } else if let index = suspended.firstIndex(where: { $0.job.id == id }) {
            finish(suspended.remove(at: index), .cancelled)
        } else if let index = running.firstIndex(where: { $0.job.id == id }) {
            retire(at: index, .cancelled)
        }
    }

    /// Ends every job with the same failure.
    mutating func failAll(_ error: any Error) {
        waiting.forEach { $0.output.finish(JobOutcome(end: .failed(error), generatedTokens: 0)) }
        waiting = []
        while !running.isEmpty { retire(at: running.count - 1, .failed(error)) }
        suspended.forEach { finish($0, .failed(error)) }
        suspended = []
    }

    /// Starts waiting jobs and plans the next batch.
    ///
    /// Empty when there is nothing to compute.
    mutating func plan() -> StepPlan {
        admit()
        let heldBack = sharePrefixes()
        report()
        round = draft()
        return StepPlan(
            slots: running, batchSize: context.batchSize, microBatchSize: context.microBatchSize, heldBack: heldBack,
            drafts: round.drafts.mapValues(\.tokens))
    }

    /// Jobs that have tokens in `plan`.
    func participants(of plan: StepPlan) -> [GenerationJob.ID] {
        plan.shares.map { running[$0.slot].job.id }
    }

    /// Whether the memory can take back what an interrupted batch may have stored, so that it is simply computed again.
    func canStop(_ plan: StepPlan) -> Bool {
        plan.shares.allSatisfy { share in
            // Memory that could drop its last token can drop one more, too.
            context.canRemoveSuffix(of: running[share.slot].sequence, from: running[share.slot].cachedCount - 1)
        }
    }

    /// Computes a planned batch and samples where a prompt or token is complete; returns what came of the batch.
    @discardableResult
    mutating func perform(_ plan: StepPlan) -> DecodeOutcome {
        let start = speculation?.now() ?? 0
        let outcome = context.decode(plan.entries)
        switch outcome {
        case .decoded: advance(plan, since: start)
        case .aborted: rollBack(plan)
        case .full:
            leavesOutDrafts = plan.draftCount > 0
            if !leavesOutDrafts { makeRoom() }
        case .failed(let reason):
            rollBack(plan)
            failAll(plan, LLMEngineError.decodeFailed(reason))
        }
        return outcome
    }
}

// MARK: - Admission

extension Scheduler {
    private mutating func admit() {
        while running.count < maximumSequences {
            if pool.isLost {
                failAll(LLMEngineError.decodeFailed("The KV cache could not be cleared. Load the model again."))
            }
            if let slot = suspended.first {
                guard let start = admission(of: slot.ledger, output: 1) else { return }
                if begin(slot.job, start, resuming: slot) { suspended.removeFirst() }
            } else if let job = waiting.first {
                let output = min(job.outputLimit, Self.startReserve)
                guard let start = admission(of: job.prompt, output: output) else { return }
                if begin(job, start) { waiting.removeFirst() }
            } else {
                return
            }
        }
    }

    private func admission(of tokens: [Token], output: Int) -> Admission? {
        let pending = running.reduce(0) { $0 + $1.pendingCount }
        return pool.admission(of: tokens, room: output + pending, shared: sharedPrefix(of: tokens))
    }

    /// False when the sequence was lost over it.
    private mutating func begin(_ job: GenerationJob, _ start: Admission, resuming slot: Slot? = nil) -> Bool {
        guard let (sequence, reuse) = pool.begin(start) else { return false }
        let checkpoints = pool.checkpointPositions(
            for: job.prompt, of: sequence, kept: reuse.cachedTokens, common: start.plan.common)
        admissions += 1
        insert(
            Slot(
                sequence: sequence, job: job, admission: admissions, resuming: slot, cached: reuse.cachedTokens,
                reuse: reuse, checkpoints: checkpoints,
                speculation: job.isSpeculative ? speculation.map { SpeculationRun(drafter: $0.makeDrafter()) } : nil))
        return true
    }

    private mutating func insert(_ slot: Slot) {
        running.insert(slot, at: running.firstIndex { $0.admission > slot.admission } ?? running.count)
    }

    private func report() {
        for job in waiting { job.output.report(PromptProgress(processed: nil, total: job.prompt.count)) }
        for slot in suspended { slot.job.output.report(PromptProgress(processed: nil, total: slot.ledger.count)) }
        for slot in running where !slot.isDecoding {
            slot.job.output.report(PromptProgress(processed: slot.cachedCount, total: slot.ledger.count))
        }
    }
}

// MARK: - Steps

extension Scheduler {
    private mutating func advance(_ plan: StepPlan, since start: Double) {
        var ended: [(slot: Int, end: JobOutcome.End)] = []
        let counts = plan.shares.map { running[$0.slot].ledger.count }
        for share in plan.shares {
            store(share)
            if let row = share.logitsRow, let end = sample(share, row: row) { ended.append((share.slot, end)) }
        }
        if let speculation { noteStep(plan, counts: counts, seconds: speculation.now() - start) }
        for (slot, end) in ended.sorted(by: { $0.slot > $1.slot }) { retire(at: slot, end) }
    }

    /// Enters the tokens of a share, which are in the cache now.
    private mutating func store(_ share: StepPlan.Share) {
        running[share.slot].markCached(share.tokenCount - share.draftCount)
        let slot = running[share.slot]
        pool.append(share.tokenCount, to: slot.sequence)
        if slot.isAtCheckpoint { pool.saveCheckpoint(of: slot.sequence, count: slot.cachedCount) }
    }

    private mutating func sample(_ share: StepPlan.Share, row: Int) -> JobOutcome.End? {
        guard share.draftCount > 0, let draft = round.drafts[share.slot] else {
            return sample(slot: share.slot, row: row)
        }
        return verify(draft, slot: share.slot, row: row)
    }

    /// Samples the next token of a slot; a value ends its job.
    mutating func sample(slot index: Int, row: Int) -> JobOutcome.End? {
        let job = running[index].job
        do {
            let token = try job.sample(row)
            if job.endsGeneration(token) { return .stopped(.complete) }
            running[index].append(token)
            if let reason = job.output.consume(token) { return .stopped(reason) }
            return running[index].generatedCount >= job.outputLimit ? .stopped(job.limitReason) : nil
        } catch {
            return .failed(error)
        }
    }

    /// Takes back what an interrupted batch may have stored.
    private mutating func rollBack(_ plan: StepPlan) {
        for share in plan.shares {
            let slot = running[share.slot]
            running[share.slot].rewind(to: pool.rewind(slot.sequence, to: slot.cachedCount))
        }
    }

    /// The cells are exhausted: an idle cache goes, else the youngest run pauses, or the only one ends.
    private mutating func makeRoom() {
        if pool.evictOldest() { return }
        guard let youngest = running.indices.last else { return }
        if running.count == 1 {
            retire(at: youngest, .stopped(.contextFull))
        } else {
            let slot = running.remove(at: youngest)
            pool.discard(slot.sequence)
            // The oldest goes on first.
            suspended.insert(slot, at: suspended.firstIndex { $0.admission > slot.admission } ?? suspended.count)
        }
    }

    private mutating func failAll(_ plan: StepPlan, _ error: any Error) {
        for share in plan.shares.sorted(by: { $0.slot > $1.slot }) { retire(at: share.slot, .failed(error)) }
    }

    /// Ends a running job; its sequence stays as an idle cache.
    private mutating func retire(at index: Int, _ end: JobOutcome.End) {
        let slot = running.remove(at: index)
        pool.retire(slot.sequence, tokens: slot.cachedTokens, promptCount: slot.job.prompt.count)
        finish(slot, end)
    }

    private func finish(_ slot: Slot, _ end: JobOutcome.End) {
        slot.job.output.finish(
            JobOutcome(end: end, generatedTokens: slot.generatedCount, reuse: slot.reuse, drafts: tally(of: slot)))
    }
}
