import Testing

@testable import CarbocationLlamaRuntime

@Suite("Step plan (PC-1, PC-4)")
struct StepPlanTests {
    private func slot(_ sequence: Int32, prompt: Int, cached: Int = 0, generated: Int = 0) -> Slot {
        let context = FakeContext()
        let job = context.job(UInt64(sequence), prompt: Array(repeating: 9, count: prompt), output: RecordingOutput())
        var slot = Slot(sequence: sequence, job: job, admission: 1)
        for _ in 0..<generated { slot.append(7) }
        slot.markCached(cached)
        return slot
    }

    @Test("a prefill of 10 with micro-batch 4 takes 4, 4 and 2; logits only for the last", arguments: [0, 4, 8])
    func chunks(cached: Int) {
        let plan = StepPlan(slots: [slot(0, prompt: 10, cached: cached)], batchSize: 64, microBatchSize: 4)
        #expect(plan.entries.map(\.position) == Array(cached..<min(10, cached + 4)))
        #expect(
            plan.shares == [StepPlan.Share(slot: 0, tokenCount: min(4, 10 - cached), logitsRow: cached == 8 ? 1 : nil)])
    }

    @Test("decoding slots come first, then one micro-batch over all prompts, in order of admission")
    func mixed() {
        let slots = [
            slot(0, prompt: 3), slot(1, prompt: 5, cached: 5, generated: 1), slot(2, prompt: 6), slot(3, prompt: 9),
        ]
        let plan = StepPlan(slots: slots, batchSize: 64, microBatchSize: 8)
        #expect(plan.shares.map(\.slot) == [1, 0, 2])
        #expect(plan.shares.map(\.tokenCount) == [1, 3, 5])
        #expect(plan.shares.map(\.logitsRow) == [0, 3, nil])
    }

    @Test("no batch is larger than the context allows, nor is it empty without need")
    func limits() {
        let slots = (0..<6).map { slot($0, prompt: 2, cached: 2, generated: 1) }
        #expect(StepPlan(slots: slots, batchSize: 4, microBatchSize: 4).entries.count == 4)
        #expect(StepPlan(slots: [], batchSize: 4, microBatchSize: 4).entries.isEmpty)
        let one = StepPlan(slots: [slot(0, prompt: 5)], batchSize: 1, microBatchSize: 1)
        #expect(one.entries.count == 1)
    }

    @Test("a suspended slot computes its whole ledger again before it samples")
    func resumed() {
        var paused = slot(0, prompt: 4, cached: 4, generated: 3)
        paused.rewind(to: 0)
        let again = Slot(sequence: 2, job: paused.job, admission: 2, resuming: paused)
        let plan = StepPlan(slots: [again], batchSize: 64, microBatchSize: 64)
        #expect(plan.entries.map(\.token) == [9, 9, 9, 9, 7, 7, 7])
        #expect(plan.entries.map(\.wantsLogits) == [false, false, false, false, false, false, true])
        #expect(plan.entries.allSatisfy { $0.sequence == 2 })
    }

    @Test("a chunk ends where a checkpoint belongs, and slots that are held back have no share")
    func stops() {
        let context = FakeContext()
        let job = context.job(0, prompt: Array(1...10), output: RecordingOutput())
        var slot = Slot(sequence: 0, job: job, admission: 1, cached: 2, checkpoints: [2, 5, 9])
        var counts: [Int] = []
        while slot.pendingCount > 0 {
            let plan = StepPlan(slots: [slot], batchSize: 64, microBatchSize: 64)
            counts.append(plan.entries.count)
            #expect(plan.shares.map(\.logitsRow) == [slot.cachedCount == 9 ? 0 : nil])
            slot.markCached(plan.entries.count)
            #expect(slot.isAtCheckpoint == (slot.pendingCount > 0))
        }
        #expect(counts == [3, 4, 1])
        let slots = [slot, self.slot(1, prompt: 3), self.slot(2, prompt: 4)]
        let plan = StepPlan(slots: Array(slots[1...]), batchSize: 64, microBatchSize: 64, heldBack: [0])
        #expect(plan.shares.map(\.slot) == [1])
    }
}
