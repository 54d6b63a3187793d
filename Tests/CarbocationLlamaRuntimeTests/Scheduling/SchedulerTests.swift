import CarbocationLocalLLM
import Testing

@testable import CarbocationLlamaRuntime

@Suite("Scheduler")
struct SchedulerTests {
    private let context = FakeContext()

    @Test("one job is a batch of one and gives the tokens of a lone run")
    func single() {
        let output = RecordingOutput()
        var scheduler = Scheduler(context: context, maximumSequences: 4)
        scheduler.submit(context.job(1, prompt: [5, 6, 7], output: output))
        scheduler.run()
        #expect(output.tokens == FakeContext.expected(prompt: [5, 6, 7], count: 4))
        #expect(output.end == "max-tokens")
        #expect(output.outcomes.map(\.generatedTokens) == [4])
        #expect(context.batches.map(\.count) == [3, 1, 1, 1])
        #expect(context.cache == [0: [5, 6, 7] + output.tokens.dropLast()])
    }

    @Test("PC-5: jobs side by side give the tokens of lone runs", arguments: [1, 2, 3, 5])
    func concurrent(sequences: Int) {
        let outputs = (0..<6).map { _ in RecordingOutput() }
        var scheduler = Scheduler(context: context, maximumSequences: sequences)
        for (index, output) in outputs.enumerated() {
            let prompt = (0...Token(index * 3)).map { $0 + 11 }
            scheduler.submit(context.job(UInt64(index), prompt: prompt, limit: 3 + index, output: output))
        }
        scheduler.run()
        for (index, output) in outputs.enumerated() {
            let prompt = (0...Token(index * 3)).map { $0 + 11 }
            #expect(output.tokens == FakeContext.expected(prompt: prompt, count: 3 + index))
        }
    }

    @Test("every decode step serves all running sequences plus one micro-batch of prompt (PC-4)")
    func mixedBatches() {
        let context = FakeContext(batchSize: 64, microBatchSize: 4)
        let first = RecordingOutput()
        let second = RecordingOutput()
        var scheduler = Scheduler(context: context, maximumSequences: 2)
        scheduler.submit(context.job(1, prompt: [1], limit: 8, output: first))
        scheduler.perform(scheduler.plan())
        scheduler.submit(context.job(2, prompt: Array(20..<30), limit: 2, output: second))
        scheduler.run()
        #expect(context.batches.map(\.count).prefix(4) == [1, 5, 5, 3])
        #expect(first.tokens == FakeContext.expected(prompt: [1], count: 8))
        #expect(second.tokens == FakeContext.expected(prompt: Array(20..<30), count: 2))
    }

    @Test("X04: a prompt longer than the batch is computed in chunks, with logits for its last token only")
    func chunks() {
        let context = FakeContext(batchSize: 64, microBatchSize: 4)
        let output = RecordingOutput()
        var scheduler = Scheduler(context: context, maximumSequences: 1)
        scheduler.submit(context.job(1, prompt: Array(1...10), limit: 1, output: output))
        scheduler.run()
        #expect(context.batches.map { $0.map(\.position) } == [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9]])
        #expect(context.batches.flatMap { $0 }.filter(\.wantsLogits).map(\.position) == [9])
        #expect(output.progress.compactMap(\.processed) == [0, 4, 8])
    }

    @Test("a stop from the output ends the job with its reason, the end token with `complete`")
    func stops() {
        let stopped = RecordingOutput()
        stopped.stopToken = FakeContext.expected(prompt: [3], count: 2)[1]
        var scheduler = Scheduler(context: context, maximumSequences: 2)
        scheduler.submit(context.job(1, prompt: [3], limit: 50, output: stopped))
        let ended = RecordingOutput()
        var job = context.job(2, prompt: [4], limit: 50, output: ended)
        job = GenerationJob(
            id: 2, prompt: [4], outputLimit: 50, limitReason: .maxTokens,
            sample: { _ in FakeContext.endToken }, endsGeneration: job.endsGeneration, output: ended)
        scheduler.submit(job)
        scheduler.run()
        #expect(stopped.tokens.count == 2)
        #expect(stopped.end == "stop-sequence")
        #expect(ended.tokens.isEmpty)
        #expect(ended.end == "complete")
        #expect(ended.outcomes.map(\.generatedTokens) == [0])
    }
}

@Suite("Scheduler under interruption")
struct SchedulerInterruptionTests {
    @Test("an aborted batch leaves no trace in any job's text", arguments: FakeMemory.Kind.allCases)
    func abort(kind: FakeMemory.Kind) {
        let context = FakeContext(kind, microBatchSize: 4)
        let first = RecordingOutput()
        let second = RecordingOutput()
        var scheduler = Scheduler(context: context, maximumSequences: 2)
        scheduler.submit(context.job(1, prompt: Array(1...9), limit: 5, output: first))
        scheduler.perform(scheduler.plan())
        scheduler.submit(context.job(2, prompt: [8, 8], limit: 5, output: second))
        context.scriptedOutcomes = [.aborted, .decoded, .aborted]
        scheduler.run()
        #expect(first.tokens == FakeContext.expected(prompt: Array(1...9), count: 5))
        #expect(second.tokens == FakeContext.expected(prompt: [8, 8], count: 5))
    }

    @Test(
        "a batch is stopped at a deadline only where the memory can take it back",
        arguments: [(FakeMemory.Kind.standard, true), (.recurrent, false)])
    func deadlines(kind: FakeMemory.Kind, canStop: Bool) {
        let context = FakeContext(kind)
        var scheduler = Scheduler(context: context, maximumSequences: 1)
        scheduler.submit(context.job(1, prompt: Array(1...40), limit: 5, output: RecordingOutput()))
        scheduler.perform(scheduler.plan())
        #expect(scheduler.canStop(scheduler.plan()) == canStop)
    }

    @Test("X07: memory that cannot drop a suffix is cleared and the prompt computed again")
    func recurrent() {
        let context = FakeContext(.recurrent)
        let output = RecordingOutput()
        var scheduler = Scheduler(context: context, maximumSequences: 1)
        scheduler.submit(context.job(1, prompt: [1, 2, 3, 4], limit: 3, output: output))
        scheduler.perform(scheduler.plan())
        context.scriptedOutcomes = [.aborted]
        scheduler.perform(scheduler.plan())
        scheduler.run()
        #expect(output.tokens == FakeContext.expected(prompt: [1, 2, 3, 4], count: 3))
    }

    @Test("cancelling reaches waiting, running and suspended jobs, and nobody else")
    func cancel() {
        let context = FakeContext()
        let outputs = (0..<3).map { _ in RecordingOutput() }
        var scheduler = Scheduler(context: context, maximumSequences: 2)
        for (index, output) in outputs.enumerated() {
            scheduler.submit(context.job(UInt64(index), prompt: [Token(index) + 1], limit: 6, output: output))
        }
        scheduler.perform(scheduler.plan())
        scheduler.cancel(0)
        scheduler.cancel(2)
        scheduler.cancel(99)
        scheduler.run()
        #expect(outputs.map(\.end) == ["cancelled", "max-tokens", "cancelled"])
        #expect(outputs[0].outcomes.map(\.generatedTokens) == [1])
        #expect(outputs[1].tokens == FakeContext.expected(prompt: [2], count: 6))
        #expect(context.cache == [0: [1], 1: [2] + outputs[1].tokens.dropLast()])
    }

    @Test("a failed batch ends its jobs with the reason; later jobs work")
    func failure() {
        let context = FakeContext()
        let failed = RecordingOutput()
        let later = RecordingOutput()
        var scheduler = Scheduler(context: context, maximumSequences: 1)
        scheduler.submit(context.job(1, prompt: [1, 2], output: failed))
        scheduler.submit(context.job(2, prompt: [1, 2], output: later))
        context.scriptedOutcomes = [.failed("no such layer")]
        scheduler.run()
        #expect(failed.end == "failed")
        #expect(later.tokens == FakeContext.expected(prompt: [1, 2], count: 4))
    }

    @Test("a sampler without candidates fails its own job only")
    func samplerFailure() {
        let context = FakeContext()
        let failed = RecordingOutput()
        let other = RecordingOutput()
        var scheduler = Scheduler(context: context, maximumSequences: 2)
        let job = context.job(1, prompt: [1], output: failed)
        scheduler.submit(
            GenerationJob(
                id: 1, prompt: [1], outputLimit: 4, limitReason: .maxTokens,
                sample: { _ in throw LLMEngineError.decodeFailed("no candidate") },
                endsGeneration: job.endsGeneration, output: failed))
        scheduler.submit(context.job(2, prompt: [2], output: other))
        scheduler.run()
        #expect(failed.end == "failed")
        #expect(other.tokens == FakeContext.expected(prompt: [2], count: 4))
    }

    @Test("PC-4: when the pool runs out, the youngest run is suspended and later goes on with the same text")
    func suspension() {
        let context = FakeContext(cellCount: 20)
        let outputs = [RecordingOutput(), RecordingOutput()]
        var scheduler = Scheduler(context: context, maximumSequences: 2)
        scheduler.submit(context.job(1, prompt: [1, 2, 3], limit: 15, output: outputs[0]))
        scheduler.perform(scheduler.plan())
        scheduler.submit(context.job(2, prompt: [4, 5], limit: 12, output: outputs[1]))
        scheduler.run()
        #expect(outputs.map(\.end) == ["max-tokens", "max-tokens"])
        #expect(outputs[0].tokens == FakeContext.expected(prompt: [1, 2, 3], count: 15))
        #expect(outputs[1].tokens == FakeContext.expected(prompt: [4, 5], count: 12))
    }

    @Test("PC-4: of two suspended runs the older one goes on first, and stays the older one")
    func suspensionOrder() {
        let context = FakeContext(cellCount: 24)
        let outputs = (0..<3).map { _ in RecordingOutput() }
        var scheduler = Scheduler(context: context, maximumSequences: 3)
        for (index, limit) in [16, 10, 10].enumerated() {
            let prompt = [Token(index) * 3 + 1, Token(index) * 3 + 2]
            scheduler.submit(context.job(UInt64(index), prompt: prompt, limit: limit, output: outputs[index]))
        }
        var ended: [Int] = []
        while !scheduler.isIdle {
            scheduler.perform(scheduler.plan())
            let running = scheduler.running.map(\.job.id)
            #expect(running == running.sorted())
            for index in outputs.indices where !ended.contains(index) && outputs[index].end != "running" {
                ended.append(index)
            }
        }
        #expect(ended.firstIndex(of: 1) ?? 9 < ended.firstIndex(of: 2) ?? 0)
    }

    @Test("PC-2: a sequence that cannot be cleared is never used again; without any left, jobs fail instead of waiting")
    func lostSequences() {
        let context = FakeContext()
        context.clears = false
        let outputs = (0..<4).map { _ in RecordingOutput() }
        var scheduler = Scheduler(context: context, maximumSequences: 2)
        for (index, output) in outputs.enumerated() {
            scheduler.submit(context.job(UInt64(index), prompt: [Token(index) + 5], limit: 1, output: output))
        }
        scheduler.run()
        #expect(outputs.map(\.end) == ["max-tokens", "max-tokens", "failed", "failed"])
        #expect(scheduler.isIdle)
    }

    @Test("a batch smaller than the number of sequences starves nobody", arguments: [1, 2, 3])
    func smallBatches(batchSize: Int) {
        let context = FakeContext(batchSize: batchSize, microBatchSize: batchSize)
        let outputs = (0..<4).map { _ in RecordingOutput() }
        var scheduler = Scheduler(context: context, maximumSequences: 4)
        for (index, output) in outputs.enumerated() {
            scheduler.submit(context.job(UInt64(index), prompt: [5, 6, 7], limit: 6, output: output))
        }
        scheduler.run(limit: 200)
        for output in outputs { #expect(output.tokens == FakeContext.expected(prompt: [5, 6, 7], count: 6)) }
    }

    @Test("X02: a lone run that fills the pool ends with `context-full`")
    func exhausted() {
        let context = FakeContext(cellCount: 6)
        let output = RecordingOutput()
        var scheduler = Scheduler(context: context, maximumSequences: 1)
        scheduler.submit(context.job(1, prompt: [1, 2, 3], limit: 50, output: output))
        scheduler.run()
        #expect(output.end == "context-full")
        #expect(output.tokens == FakeContext.expected(prompt: [1, 2, 3], count: 4))
    }

    @Test("waiting jobs start in the order of arrival when a sequence and cells are free")
    func admission() {
        let context = FakeContext(cellCount: 300)
        let prompt = [Token](repeating: 7, count: 150)
        let outputs = (0..<3).map { _ in RecordingOutput() }
        var scheduler = Scheduler(context: context, maximumSequences: 4)
        for (index, output) in outputs.enumerated() {
            scheduler.submit(context.job(UInt64(index), prompt: prompt, limit: 100, output: output))
        }
        let plan = scheduler.plan()
        #expect(scheduler.participants(of: plan) == [0])
        #expect(outputs[1].progress == [PromptProgress(processed: nil, total: 150)])
        scheduler.run()
        #expect(outputs.map(\.end) == ["max-tokens", "max-tokens", "max-tokens"])
    }
}
