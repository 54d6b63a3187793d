import CarbocationLocalLLM

/// Serves several jobs on one context: continuous batching, one request being the batch of one.
///
/// Confined to the inference thread. It owns the sequences of the context and nothing else.
struct Scheduler {
    /// Output tokens that must fit beside a prompt before a job starts.
    static let startReserve = 256

    private let context: any DecodingContext
    private let maximumSequences: Int
    private var waiting: [GenerationJob] = []
    private var running: [Slot] = []
    private var suspended: [Slot] = []
    private var admissions: UInt64 = 0
    /// Sequences that the context could not clear; they are never used again.
    private var lostSequences: Set<Int32> = []

    init(context: any DecodingContext, maximumSequences: Int) {
        self.context = context
        // With more decoding slots than a batch has entries, some of them and every prompt would wait for the others.
        self.maximumSequences = min(maximumSequences, max(1, context.batchSize - 1))
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
        report()
        return StepPlan(slots: running, batchSize: context.batchSize, microBatchSize: context.microBatchSize)
    }

    /// Jobs that have tokens in `plan`.
    func participants(of plan: StepPlan) -> [GenerationJob.ID] {
        plan.shares.map { running[$0.slot].job.id }
    }

    /// Computes a planned batch and samples where a prompt or token is complete.
    mutating func perform(_ plan: StepPlan) {
        switch context.decode(plan.entries) {
        case .decoded: advance(plan)
        case .aborted: rollBack(plan)
        case .full: makeRoom()
        case .failed(let reason):
            rollBack(plan)
            failAll(plan, LLMEngineError.decodeFailed(reason))
        }
    }
}

// MARK: - Admission

extension Scheduler {
    private mutating func admit() {
        if lostSequences.count == maximumSequences {
            failAll(LLMEngineError.decodeFailed("The KV cache could not be cleared. Load the model again."))
        }
        while running.count < maximumSequences, let sequence = freeSequence {
            if let slot = suspended.first, hasRoom(for: slot.ledger.count, output: 1) {
                suspended.removeFirst()
                start(slot.job, ledgerOf: slot, sequence: sequence)
            } else if suspended.isEmpty, let job = waiting.first,
                hasRoom(for: job.prompt.count, output: min(job.outputLimit, Self.startReserve))
            {
                waiting.removeFirst()
                start(job, ledgerOf: nil, sequence: sequence)
            } else {
                return
            }
        }
    }

    private var freeSequence: Int32? {
        (0..<Int32(maximumSequences)).first { sequence in
            !lostSequences.contains(sequence) && !running.contains { $0.sequence == sequence }
        }
    }

    /// Whether a job of this size fits beside the running ones; alone it always may try.
    private func hasRoom(for prompt: Int, output: Int) -> Bool {
        let used = running.reduce(0) { $0 + $1.ledger.count }
        return running.isEmpty || used + prompt + output <= context.cellCount
    }

    private mutating func start(_ job: GenerationJob, ledgerOf slot: Slot?, sequence: Int32) {
        admissions += 1
        running.append(Slot(sequence: sequence, job: job, admission: admissions, resuming: slot))
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
    private mutating func advance(_ plan: StepPlan) {
        var ended: [(slot: Int, end: JobOutcome.End)] = []
        for share in plan.shares {
            running[share.slot].markCached(share.tokenCount)
            if let row = share.logitsRow, let end = sample(slot: share.slot, row: row) {
                ended.append((share.slot, end))
            }
        }
        for (slot, end) in ended.sorted(by: { $0.slot > $1.slot }) { retire(at: slot, end) }
    }

    /// Samples the next token of a slot; a value ends its job.
    private mutating func sample(slot index: Int, row: Int) -> JobOutcome.End? {
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
            if !context.removeSuffix(of: slot.sequence, from: slot.cachedCount) {
                clear(slot.sequence)
                running[share.slot].clearCache()
            }
        }
    }

    /// The pool is exhausted: pauses the youngest run, or ends the only one.
    private mutating func makeRoom() {
        guard let youngest = running.indices.max(by: { running[$0].admission < running[$1].admission }) else { return }
        if running.count == 1 {
            retire(at: youngest, .stopped(.contextFull))
        } else {
            suspended.append(release(at: youngest))
        }
    }

    private mutating func failAll(_ plan: StepPlan, _ error: any Error) {
        for share in plan.shares.sorted(by: { $0.slot > $1.slot }) { retire(at: share.slot, .failed(error)) }
    }

    private mutating func retire(at index: Int, _ end: JobOutcome.End) {
        finish(release(at: index), end)
    }

    /// Takes a slot off the context.
    private mutating func release(at index: Int) -> Slot {
        let slot = running.remove(at: index)
        clear(slot.sequence)
        return slot
    }

    private mutating func clear(_ sequence: Int32) {
        if !context.removeSuffix(of: sequence, from: 0) { lostSequences.insert(sequence) }
    }

    private func finish(_ slot: Slot, _ end: JobOutcome.End) {
        slot.job.output.finish(JobOutcome(end: end, generatedTokens: slot.generatedCount))
    }
}
