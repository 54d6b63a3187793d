/// Drafts: tokens that are computed along with a job's last one, and stay if the job's sampler chooses them.
extension Scheduler {
    /// The drafts for the next step.
    ///
    /// None beside prompts: such a step takes long already. Only cells that are free are used.
    mutating func draft() -> DraftRound {
        defer { leavesOutDrafts = false }
        if let speculation {
            context.setPredicting(running.contains(where: \.drafts) && !speculation.meter.isPaused)
        }
        guard let speculation, hasReadPrompts(), !leavesOutDrafts, running.contains(where: \.drafts),
            running.allSatisfy(\.isDecoding),
            speculation.pacing == .always || speculation.meter.isOpen(sequences: running.count)
        else { return DraftRound() }
        let start = speculation.now()
        var round = DraftRound()
        let cells = context.cellCount - pool.usage.total
        var room = min(context.batchSize, context.microBatchSize, cells) - running.count
        var step = PlannedStep(sequences: running.count, worstLoss: running.map(\.losses.worst).max() ?? 0)
        for index in running.indices where running[index].drafts && room > 0 {
            guard let draft = draft(for: index, atMost: room, in: &step) else { continue }
            round.drafts[index] = draft
            room -= draft.tokens.count
        }
        round.seconds = speculation.now() - start
        return round
    }

    /// Lets drafters read what the model has read; false while they are behind.
    ///
    /// That is part of reading the prompt, not of drafting, and takes its time beside it.
    private func hasReadPrompts() -> Bool {
        guard let speculation, speculation.pacing == .always || !speculation.meter.isPaused else { return true }
        return running.filter(\.drafts).allSatisfy { slot in
            slot.speculation?.drafter.read(slot.ledger, upTo: slot.cachedCount, in: slot.sequence) ?? true
        }
    }

    private mutating func draft(for index: Int, atMost room: Int, in step: inout PlannedStep) -> DraftRound.Draft? {
        let slot = running[index]
        guard let speculation, let run = slot.speculation,
            let outlook = run.drafter.outlook(after: slot.ledger)
        else { return nil }
        // One token comes without a draft.
        let outputLeft = slot.job.outputLimit - slot.generatedCount - 1
        let limit = min(speculation.draftLimit, outlook.count, room, outputLeft)
        let probability = run.probability(of: outlook.kind)
        let isCostly = run.drafter.isCostly
        let count =
            speculation.pacing == .always
            ? max(0, limit)
            : speculation.meter.choice(for: limit, probability: probability, isCostly: isCostly, in: step)
        if speculation.pacing == .measured, limit > 0, running[index].speculation?.noteOffer(isTaken: count > 0) == true
        {
            stopDrafting(at: index)
        }
        guard count > 0 else { return nil }
        let tokens = run.drafter.draft(after: slot.ledger, count: count, in: slot.sequence)
        guard !tokens.isEmpty else { return nil }
        step = step.adding(tokens.count, probability: probability, seconds: 0)
        return DraftRound.Draft(kind: outlook.kind, tokens: tokens)
    }

    /// Samples behind a job's token, and behind each token of its draft for as long as that is what was sampled.
    ///
    /// Each token comes from the model's own logits the way it would without a draft. What the cache holds beyond the
    /// tokens of a plain run is dropped; a value ends the job.
    mutating func verify(_ draft: DraftRound.Draft, slot index: Int, row: Int) -> JobOutcome.End? {
        let start = running[index].ledger.count
        var end: JobOutcome.End?
        var accepted = 0
        var isLastPending = false
        for position in 0...draft.tokens.count {
            let count = running[index].ledger.count
            end = sample(slot: index, row: row + position)
            isLastPending = running[index].ledger.count > count
            guard isLastPending, position < draft.tokens.count, running[index].ledger.last == draft.tokens[position]
            else { break }
            accepted += 1
            if end != nil { break }
        }
        running[index].speculation?.drafter.accept(accepted, in: running[index].sequence)
        running[index].speculation?.note(draft.kind, drafted: draft.tokens.count, accepted: accepted)
        let cached = running[index].ledger.count - (isLastPending ? 1 : 0)
        running[index].markCached(cached - start)
        if cached < start + draft.tokens.count { drop(behind: cached, slot: index) }
        return end
    }

    /// Takes rejected tokens out of the cache.
    private mutating func drop(behind count: Int, slot index: Int) {
        let kept = pool.rewind(running[index].sequence, to: count)
        running[index].rewind(to: kept)
        // Computing more than the last token again is dearer than any draft is worth.
        if kept < count { stopDrafting(at: index) }
    }

    private mutating func stopDrafting(at index: Int) {
        running[index].speculation?.stop()
        speculation?.meter.stopDrafting()
    }

    /// Learns from a step; `counts` are the tokens of its slots before it.
    mutating func noteStep(_ plan: StepPlan, counts: [Int], seconds: Double) {
        guard let speculation, !plan.holdsPrompt, plan.shares.count == running.count else { return }
        let drafts = plan.draftCount
        let generated = zip(plan.shares, counts).map { max(1, running[$0.slot].ledger.count - $1) }
        let plain = speculation.meter.plainTime(sequences: plan.shares.count)
        self.speculation?.meter.note(
            MeasuredStep(
                sequences: plan.shares.count, drafted: drafts, generated: generated.reduce(0, +), seconds: seconds,
                draftSeconds: round.seconds))
        guard let plain else { return }
        let isPlain = drafts == 0 && round.seconds < plain / 64
        for (share, tokens) in zip(plan.shares, generated) {
            let loss = isPlain ? 0 : (seconds + round.seconds) / plain - Double(tokens)
            running[share.slot].noteLoss(tokens: tokens, loss: loss)
            guard speculation.pacing == .measured, share.draftCount > 0 else { continue }
            if running[share.slot].speculation?.noteLoss(loss) == true { stopDrafting(at: share.slot) }
        }
    }

    /// What was drafted for a job that ends.
    func tally(of slot: Slot) -> DraftTally {
        guard var tally = slot.speculation?.tally else { return DraftTally() }
        if tally.calls == 0, let speculation, speculation.meter.isPaused { tally.isStopped = true }
        return tally
    }
}
