import CarbocationLocalLLM
import Testing

@testable import CarbocationLlamaRuntime

/// Runs one job after the other, or several at once, and tells what was reused.
private struct Rig {
    let context: FakeContext
    var scheduler: Scheduler
    private var lastID: GenerationJob.ID = 0

    init(_ kind: FakeMemory.Kind = .standard, cellCount: Int = 4096, sequences: Int = 4) {
        context = FakeContext(kind, cellCount: cellCount)
        scheduler = Scheduler(context: context, maximumSequences: sequences)
    }

    @discardableResult
    mutating func submit(_ prompt: [Token], limit: Int = 4) -> (id: GenerationJob.ID, output: RecordingOutput) {
        lastID += 1
        let output = RecordingOutput()
        scheduler.submit(context.job(lastID, prompt: prompt, limit: limit, output: output))
        return (lastID, output)
    }

    /// Runs a job alone; returns its tokens, which are checked, and its reuse.
    mutating func run(_ prompt: [Token], limit: Int = 4) -> (tokens: [Token], reuse: PromptReuse?) {
        let output = submit(prompt, limit: limit).output
        scheduler.run()
        #expect(output.tokens == FakeContext.expected(prompt: prompt, count: limit))
        #expect(scheduler.pool.usage.total == context.memory.usedCells)
        return (output.tokens, output.outcomes.first?.reuse)
    }
}

@Suite("Prefix reuse (PC-1, PC-2)")
struct PrefixReuseTests {
    private let system = [Token](1...60)

    @Test("the next prompt goes on behind prompt and reply, without any removal", arguments: FakeMemory.Kind.allCases)
    func continuation(kind: FakeMemory.Kind) {
        var rig = Rig(kind)
        let (reply, first) = rig.run(system)
        #expect(first == PromptReuse(cachedTokens: 0, reason: .firstUse))
        let second = rig.run(system + reply + [7, 8])
        // The last token of a reply that ends with its limit was never computed.
        #expect(second.reuse == PromptReuse(cachedTokens: 63, reason: .wholeCache))
        #expect(rig.context.partialRemovals == 0)
        if kind == .standard { #expect(rig.context.batches.map(\.count) == [60, 1, 1, 1, 3, 1, 1, 1]) }
    }

    @Test("a prompt that is cached as a whole computes its last token again")
    func again() {
        var rig = Rig()
        _ = rig.run(system)
        #expect(rig.run(system).reuse == PromptReuse(cachedTokens: 59, reason: .wholePrompt))
        #expect(rig.context.batches.map(\.count) == [60, 1, 1, 1, 1, 1, 1, 1])
        #expect(rig.run([Token](1...20)).reuse == PromptReuse(cachedTokens: 19, reason: .wholePrompt))
    }

    @Test("X08: a history that is rendered without its thinking reuses the true common prefix")
    func droppedThinking() {
        var rig = Rig()
        let (thinking, _) = rig.run(system, limit: 40)
        let second = rig.run(system + thinking.suffix(3) + [70, 71])
        #expect(second.reuse == PromptReuse(cachedTokens: 60, reason: .diverged(at: 60)))
        #expect(rig.scheduler.pool.idle.count == 1)
    }

    @Test("X07: memory that cannot drop a suffix is cleared when the prompt diverges, and all is computed")
    func recurrent() {
        var rig = Rig(.recurrent, sequences: 1)
        _ = rig.run([1, 2, 3, 4])
        let reuse = rig.run([1, 9]).reuse
        #expect(reuse == PromptReuse(cachedTokens: 0, reason: .cannotDropSuffix(commonPrefix: 1)))
    }

    @Test("X06: a window that has moved on is cleared, one that has not is cut", arguments: [(10, 0), (150, 150)])
    func window(divergence: Int, kept: Int) {
        var rig = Rig(.windowed, sequences: 1)
        let prompt = (0..<160).map { Token($0 % 90 + 1) }
        _ = rig.run(prompt, limit: 1)
        let edited = Array(prompt[..<divergence]) + [99, 98]
        let expected: PromptReuse.Reason =
            kept == 0 ? .cannotDropSuffix(commonPrefix: divergence) : .diverged(at: divergence)
        #expect(rig.run(edited).reuse == PromptReuse(cachedTokens: kept, reason: expected))
    }

    @Test(
        "a checkpoint near the end of the prompt takes back what cannot be cut",
        arguments: [FakeMemory.Kind.recurrent, .windowed])
    func checkpoint(kind: FakeMemory.Kind) {
        var rig = Rig(kind, sequences: 2)
        let prompt = (0..<160).map { Token($0 % 90 + 1) }
        let (reply, _) = rig.run(prompt, limit: 80)
        let second = rig.run(prompt + reply.suffix(5) + [95, 96])
        #expect(second.reuse == PromptReuse(cachedTokens: 144, reason: .restoredCheckpoint(commonPrefix: 160)))
        let again = rig.run(prompt).reuse
        #expect(again?.cachedTokens == (kind == .recurrent ? 144 : 159))
        #expect(rig.context.restorations == (kind == .recurrent ? 2 : 1))
    }

    @Test(
        "a removal or restoration that fails against expectation clears the sequence",
        arguments: FakeMemory.Kind.allCases)
    func refused(kind: FakeMemory.Kind) {
        var rig = Rig(kind, sequences: 1)
        let prompt = (0..<160).map { Token($0 % 90 + 1) }
        _ = rig.run(prompt, limit: 80)
        rig.context.refuses = { true }
        let reuse = rig.run(prompt + [95, 96]).reuse
        #expect(reuse == PromptReuse(cachedTokens: 0, reason: .cannotDropSuffix(commonPrefix: 160)))
    }

    @Test("cancelling keeps what was computed")
    func cancelled() {
        var rig = Rig()
        let (id, output) = rig.submit(system, limit: 50)
        for _ in 0..<6 { rig.scheduler.perform(rig.scheduler.plan()) }
        rig.scheduler.cancel(id)
        #expect(output.tokens.count == 6)
        #expect(rig.run(system + output.tokens + [3]).reuse?.cachedTokens == 65)
    }

    @Test("an aborted prompt keeps the chunks that were complete")
    func aborted() {
        let context = FakeContext(microBatchSize: 16)
        var scheduler = Scheduler(context: context, maximumSequences: 1)
        scheduler.submit(context.job(1, prompt: system, output: RecordingOutput()))
        scheduler.perform(scheduler.plan())
        context.scriptedOutcomes = [.aborted]
        scheduler.perform(scheduler.plan())
        scheduler.cancel(1)
        #expect(context.cache == [0: Array(system[..<16])])
        let output = RecordingOutput()
        scheduler.submit(context.job(2, prompt: system, output: output))
        scheduler.run()
        #expect(output.outcomes.first?.reuse == PromptReuse(cachedTokens: 16, reason: .wholeCache))
    }
}

@Suite("Shared prefixes and eviction (PC-1, PC-4)")
struct SharedPrefixTests {
    private let system = [Token](1...60)

    @Test("jobs that arrive together compute their common prefix once")
    func together() {
        var rig = Rig(sequences: 3)
        let outputs = [70, 71, 72].map { rig.submit(system + [$0, 5]).output }
        rig.scheduler.run()
        #expect(outputs.map { $0.outcomes.first?.reuse.cachedTokens } == [0, 60, 60])
        #expect(outputs[1].outcomes.first?.reuse.reason == .diverged(at: 60))
        for (token, output) in zip([Token(70), 71, 72], outputs) {
            #expect(output.tokens == FakeContext.expected(prompt: system + [token, 5], count: 4))
        }
        #expect(rig.context.batches.prefix(2).map(\.count) == [62, 5])
        #expect(rig.context.memory.usedCells == 60 + 3 * 5)
        #expect(rig.scheduler.pool.usage.total == 75)
    }

    @Test("when the job that computes the prefix is cancelled, the one that waits for it goes on alone")
    func leaderCancelled() {
        let context = FakeContext(microBatchSize: 16)
        var scheduler = Scheduler(context: context, maximumSequences: 2)
        let outputs = [RecordingOutput(), RecordingOutput()]
        for (index, output) in outputs.enumerated() {
            scheduler.submit(context.job(UInt64(index), prompt: system + [Token(index + 70)], output: output))
        }
        scheduler.perform(scheduler.plan())
        scheduler.cancel(0)
        scheduler.run()
        #expect(outputs[1].tokens == FakeContext.expected(prompt: system + [71], count: 4))
    }

    @Test("another conversation with the same system text leaves the first one's cache alone")
    func fork() {
        var rig = Rig()
        let (reply, _) = rig.run(system + [Token](repeating: 9, count: 40))
        #expect(rig.run(system + [80]).reuse == PromptReuse(cachedTokens: 60, reason: .diverged(at: 60)))
        #expect(rig.scheduler.pool.idle.count == 2)
        let back = rig.run(system + [Token](repeating: 9, count: 40) + reply + [4])
        #expect(back.reuse == PromptReuse(cachedTokens: 103, reason: .wholeCache))
    }

    @Test(
        "where nothing can be shared, a cache is not given up for a small part of it",
        arguments: [FakeMemory.Kind.recurrent, .windowed])
    func noSharing(kind: FakeMemory.Kind) {
        var rig = Rig(kind)
        let prompt = [5] + [Token](repeating: 9, count: 18)
        let (reply, _) = rig.run(prompt)
        let reason = rig.run([5, 6, 7]).reuse?.reason
        #expect(reason == (kind == .recurrent ? .cannotDropSuffix(commonPrefix: 1) : .leftToOthers(commonPrefix: 1)))
        #expect(rig.scheduler.pool.idle.count == 2)
        #expect(rig.run(prompt + reply + [4]).reuse == PromptReuse(cachedTokens: 22, reason: .wholeCache))
        #expect(rig.context.copies == 0)
    }

    @Test(
        "what cannot be cut is shared from a checkpoint where conversations part",
        arguments: [FakeMemory.Kind.recurrent, .windowed])
    func sharedCheckpoint(kind: FakeMemory.Kind) {
        var rig = Rig(kind)
        let system = (0..<90).map { Token($0 % 80 + 1) }
        let prompts = (0..<4).map { system + [Token](repeating: Token($0) + 90, count: 100) }
        let replies = prompts.map { rig.run($0) }
        #expect(replies[1].reuse == PromptReuse(cachedTokens: 0, reason: .cannotDropSuffix(commonPrefix: 90)))
        for reply in replies[2...] {
            #expect(reply.reuse == PromptReuse(cachedTokens: 90, reason: .diverged(at: 90)))
        }
        #expect(rig.context.copies == 2)
        #expect(rig.context.memory.usedCells < 4 * 193)
        #expect(rig.run(prompts[1] + replies[1].tokens + [1]).reuse?.reason == .wholeCache)
    }

    @Test("idle caches go oldest first when a sequence is needed")
    func sequences() {
        var rig = Rig(sequences: 2)
        let prompts = (0..<3).map { [Token](repeating: Token($0) + 70, count: 40) }
        let replies = prompts.map { rig.run($0).tokens }
        #expect(rig.scheduler.pool.idle.map(\.tokens.first) == [71, 72])
        #expect(rig.run(prompts[1] + replies[1] + [1]).reuse?.cachedTokens == 43)
        #expect(rig.run(prompts[0] + replies[0] + [1]).reuse?.reason == .noCommonPrefix)
        #expect(rig.scheduler.pool.idle.map(\.tokens.first) == [71, 70])
    }

    @Test("idle caches go oldest first when cells are needed; no more of them than needed")
    func cells() {
        var rig = Rig(cellCount: 200, sequences: 8)
        for token in Token(1)...3 { _ = rig.run([Token](repeating: token, count: 40)) }
        _ = rig.run([Token](repeating: 9, count: 80))
        #expect(rig.scheduler.pool.idle.map(\.tokens.first) == [2, 3, 9])
        _ = rig.run([Token](repeating: 8, count: 190))
        #expect(rig.scheduler.pool.idle.map(\.tokens.first) == [8])
        #expect(rig.run([7]).reuse?.reason == .noCommonPrefix)
        rig.context.scriptedOutcomes = [.full]
        #expect(rig.run([6], limit: 2).tokens.count == 2)
    }

    @Test("after everything had to go, the reason is eviction")
    func evicted() {
        var rig = Rig(sequences: 2)
        _ = rig.run([1, 2, 3])
        rig.submit([9, 9, 9])
        rig.context.scriptedOutcomes = [.full]
        rig.scheduler.perform(rig.scheduler.plan())
        rig.scheduler.cancel(2)
        #expect(rig.run([1, 2, 3]).reuse == PromptReuse(cachedTokens: 0, reason: .evicted))
    }

    @Test("PC-4: a full cache takes idle caches before it suspends a run")
    func full() {
        var rig = Rig(cellCount: 100, sequences: 3)
        _ = rig.run([Token](repeating: 3, count: 40))
        let outputs = [rig.submit([4, 4], limit: 20).output, rig.submit([5, 5], limit: 20).output]
        rig.scheduler.perform(rig.scheduler.plan())
        rig.context.scriptedOutcomes = [.full]
        rig.scheduler.perform(rig.scheduler.plan())
        #expect(rig.scheduler.running.count == 2)
        #expect(rig.scheduler.pool.idle.isEmpty)
        rig.scheduler.run()
        #expect(outputs.map(\.tokens.count) == [20, 20])
    }

    @Test("a job waits rather than clear idle caches in vain")
    func waits() {
        var rig = Rig(cellCount: 300, sequences: 3)
        _ = rig.run([Token](repeating: 3, count: 40))
        rig.submit([Token](repeating: 4, count: 150), limit: 60)
        rig.scheduler.perform(rig.scheduler.plan())
        rig.submit([Token](repeating: 5, count: 200), limit: 60)
        rig.scheduler.perform(rig.scheduler.plan())
        #expect(rig.scheduler.running.count == 1)
        #expect(rig.scheduler.pool.idle.count == 1)
        rig.scheduler.run()
    }
}
