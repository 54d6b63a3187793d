import CarbocationLocalLLM
import Testing

@testable import CarbocationLlamaRuntime

@Suite("Scheduler with drafts (SP-2)")
struct SpeculativeSchedulerTests {
    /// Says exactly what it is told, in turn.
    // `@unchecked` because each test drives it from one thread.
    private final class ScriptedDrafter: Drafter, @unchecked Sendable {
        let isCostly = false
        var drafts: [[Token]]

        init(_ drafts: [[Token]]) { self.drafts = drafts }

        func outlook(after tokens: [Token]) -> DraftOutlook? {
            drafts.first.map { DraftOutlook(kind: .match, count: $0.count) }
        }

        func draft(after tokens: [Token], count: Int, in sequence: Int32) -> [Token] {
            Array(drafts.removeFirst().prefix(count))
        }
    }

    private let prompt: [Token] = [5, 6, 7]

    private func expected(_ count: Int) -> [Token] { FakeContext.expected(prompt: prompt, count: count) }

    private func scheduler(_ context: FakeContext, _ drafts: [[Token]], limit: Int = 8) -> Scheduler {
        let drafter = ScriptedDrafter(drafts)
        return Scheduler(
            context: context, maximumSequences: 4,
            speculation: Speculation(draftLimit: limit, pacing: .always, now: { 0 }, makeDrafter: { drafter }))
    }

    @Test("right tokens stay, a wrong one and what follows it goes, and the model's own token comes instead")
    func steps() {
        let context = FakeContext()
        let output = RecordingOutput()
        let right = expected(12)
        var scheduler = scheduler(context, [[right[1], right[2], 98, right[4]], [98, 99], Array(right[5...6])])
        scheduler.submit(context.job(1, prompt: prompt, limit: 9, output: output, isSpeculative: true))
        var cached: [[Token]] = []
        while !scheduler.isIdle {
            scheduler.perform(scheduler.plan())
            cached.append(context.cache[0] ?? [])
        }
        #expect(output.tokens == Array(right.prefix(9)))
        #expect(context.batches.map(\.count) == [3, 5, 3, 3, 1])
        let text = prompt + right
        #expect(cached.map(\.count) == [3, 6, 7, 10, 11])
        for tokens in cached { #expect(tokens == Array(text.prefix(tokens.count))) }
        #expect(output.outcomes.first?.drafts == DraftTally(calls: 3, drafted: 8, accepted: 4))
        #expect(output.outcomes.first?.generatedTokens == 9)
    }

    @Test("drafts end at the limit of the output, and the cache ends where that of a plain run does")
    func outputLimit() {
        let context = FakeContext()
        let output = RecordingOutput()
        let right = expected(12)
        var scheduler = scheduler(context, [Array(right[1...8])])
        scheduler.submit(context.job(1, prompt: prompt, limit: 4, output: output, isSpeculative: true))
        scheduler.run()
        #expect(context.batches.map(\.count) == [3, 3])
        #expect(output.tokens == Array(right.prefix(4)))
        #expect(output.end == "max-tokens")
        #expect(context.cache[0] == prompt + right.prefix(3))
        #expect(scheduler.pool.usage.total == context.memory.usedCells)
    }

    @Test("a stop within a draft ends the job there, as without drafts", arguments: 1...5)
    func stop(position: Int) {
        let context = FakeContext()
        let output = RecordingOutput()
        let right = expected(12)
        output.stopToken = right[position]
        let expected = Array(right[...(right.firstIndex(of: right[position]) ?? position)])
        var scheduler = scheduler(context, [Array(right[1...5])])
        scheduler.submit(context.job(1, prompt: prompt, limit: 9, output: output, isSpeculative: true))
        scheduler.run()
        #expect(output.tokens == expected)
        #expect(output.end == "stop-sequence")
        #expect(context.cache[0] == prompt + expected.dropLast())
        #expect(scheduler.pool.usage.total == context.memory.usedCells)
    }

    @Test("a token that ends the turn within a draft is in no text and in no cache", arguments: [true, false])
    func endOfTurn(isDrafted: Bool) {
        let context = FakeContext()
        let output = RecordingOutput()
        let right = expected(4)
        let drafts = [[right[1], right[2], isDrafted ? right[3] : 98, 50]]
        var scheduler = scheduler(context, drafts)
        let job = GenerationJob(
            id: 1, prompt: prompt, outputLimit: 9, limitReason: .maxTokens,
            sample: { row in FakeContext.next(after: context.histories[row] ?? []) },
            endsGeneration: { $0 == right[3] }, output: output, isSpeculative: true)
        scheduler.submit(job)
        scheduler.run()
        #expect(output.tokens == Array(right.prefix(3)))
        #expect(output.end == "complete")
        #expect(context.cache[0] == prompt + right.prefix(3))
        #expect(output.outcomes.first?.drafts.accepted == 2)
    }

    @Test("a sampler that fails behind a draft ends the job with its error")
    func failure() {
        struct Failure: Error {}
        let context = FakeContext()
        let output = RecordingOutput()
        let right = expected(4)
        var scheduler = scheduler(context, [Array(right[1...3])])
        let job = GenerationJob(
            id: 1, prompt: prompt, outputLimit: 9, limitReason: .maxTokens,
            sample: { row in
                let history = context.histories[row] ?? []
                if history.count == 5 { throw Failure() }
                return FakeContext.next(after: history)
            },
            endsGeneration: { _ in false }, output: output, isSpeculative: true)
        scheduler.submit(job)
        scheduler.run()
        #expect(output.end == "failed")
        #expect(output.tokens == Array(right.prefix(2)))
        #expect(context.cache[0] == prompt + right.prefix(2))
        #expect(scheduler.pool.usage.total == context.memory.usedCells)
    }

    @Test("cells that are short are left to tokens that are sure: no job is ended for a draft")
    func cells() {
        let context = FakeContext(cellCount: 14)
        let output = RecordingOutput()
        let right = expected(12)
        var scheduler = scheduler(context, Array(repeating: [98, 98, 98, 98, 98, 98], count: 20), limit: 6)
        scheduler.submit(context.job(1, prompt: prompt, limit: 11, output: output, isSpeculative: true))
        scheduler.run()
        #expect(output.tokens == Array(right.prefix(11)))
        #expect(output.end == "max-tokens")
        #expect(context.batches.allSatisfy { $0.count <= 7 })
    }

    @Test("a cache that is full all the same gets the step again without drafts")
    func full() {
        let context = FakeContext()
        let output = RecordingOutput()
        let right = expected(6)
        var scheduler = scheduler(context, [Array(right[1...3]), Array(right[2...4])])
        scheduler.submit(context.job(1, prompt: prompt, limit: 6, output: output, isSpeculative: true))
        scheduler.perform(scheduler.plan())
        context.scriptedOutcomes = [.full]
        scheduler.run()
        #expect(output.tokens == right)
        #expect(context.batches.map(\.count) == [3, 4, 1, 4])
    }

    @Test("an aborted step with drafts leaves nothing of them", arguments: [DecodeOutcome.aborted, .failed("")])
    func interrupted(outcome: DecodeOutcome) {
        let context = FakeContext()
        let output = RecordingOutput()
        let right = expected(6)
        var scheduler = scheduler(context, [Array(right[1...4]), Array(right[1...3])])
        scheduler.submit(context.job(1, prompt: prompt, limit: 6, output: output, isSpeculative: true))
        scheduler.perform(scheduler.plan())
        context.scriptedOutcomes = [outcome]
        scheduler.perform(scheduler.plan())
        #expect(context.cache[0] == prompt)
        scheduler.run()
        #expect(output.tokens == (outcome == .aborted ? right : Array(right.prefix(1))))
    }

    @Test("beside prompts nothing is drafted, nor for jobs that do not want it")
    func company() {
        let context = FakeContext(batchSize: 64, microBatchSize: 4)
        var scheduler = Scheduler(context: context, maximumSequences: 3, speculation: .guessing(right: 1))
        let outputs = (0..<3).map { _ in RecordingOutput() }
        scheduler.submit(context.job(0, prompt: [1], limit: 40, output: outputs[0], isSpeculative: true))
        scheduler.perform(scheduler.plan())
        scheduler.submit(context.job(1, prompt: Array(20..<44), limit: 30, output: outputs[1]))
        for _ in 0..<6 {
            let plan = scheduler.plan()
            #expect(plan.draftCount == 0)
            #expect(plan.kind == .prefill(tokens: 5))
            scheduler.perform(plan)
        }
        var drafted = 0
        while !scheduler.isIdle {
            let plan = scheduler.plan()
            #expect(plan.entries.count <= 4)
            for share in plan.shares where share.draftCount > 0 {
                #expect(scheduler.running[share.slot].job.id == 0)
                #expect(plan.kind == .verify(tokens: plan.entries.count))
                drafted += share.draftCount
            }
            scheduler.perform(plan)
        }
        #expect(drafted > 0)
        #expect(outputs[0].tokens == FakeContext.expected(prompt: [1], count: 40))
        #expect(outputs[1].tokens == FakeContext.expected(prompt: Array(20..<44), count: 30))
        #expect(outputs[1].outcomes.first?.drafts == DraftTally())
    }

    @Test("a memory that cannot drop a draft any more ends the drafts, not the job")
    func refusedRemoval() {
        let context = FakeContext()
        context.refuses = { true }
        let output = RecordingOutput()
        var scheduler = scheduler(context, Array(repeating: [98, 98], count: 9))
        scheduler.submit(context.job(1, prompt: prompt, limit: 6, output: output, isSpeculative: true))
        scheduler.run()
        #expect(output.tokens == expected(6))
        #expect(output.outcomes.first?.drafts == DraftTally(calls: 1, drafted: 2, accepted: 0, isStopped: true))
        #expect(context.batches.map(\.count) == [3, 3, 5, 1, 1, 1])
    }
}
