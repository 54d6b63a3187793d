import CarbocationLocalLLM
import TestSupport
import Testing

@testable import CarbocationLlamaRuntime

@Suite("Sequences that change their context", .timeLimit(.minutes(10)))
struct SequenceStateTests {
    @Test(
        "an imported sequence is an idle cache like any other, and the books know it",
        arguments: FakeMemory.Kind.allCases)
    func pool(kind: FakeMemory.Kind) throws {
        let first = FakeContext(kind)
        var scheduler = Scheduler(context: first, maximumSequences: 1)
        let output = RecordingOutput()
        scheduler.submit(first.job(1, prompt: Array(1...90), limit: 3, output: output))
        scheduler.run()
        #expect(scheduler.pool.exportIdle()?.tokens == Array(1...90) + output.tokens.dropLast())
        let state = try #require(scheduler.pool.exportIdle())
        #expect(state.promptCount == 90)
        #expect(state.checkpoints.isEmpty == (kind == .standard))

        let second = FakeContext(kind)
        var other = Scheduler(context: second, maximumSequences: 2)
        let isImported = other.pool.importIdle(state)
        #expect(isImported)
        #expect(other.pool.usage.total == state.tokens.count)
        let more = RecordingOutput()
        let prompt: [Token] = state.tokens + output.tokens.suffix(1) + [7, 8, 9]
        other.submit(second.job(2, prompt: prompt, limit: 4, output: more))
        other.run()
        #expect(more.tokens == FakeContext.expected(prompt: prompt, count: 4))
        #expect(more.outcomes.first?.reuse.cachedTokens == state.tokens.count)
        // Going back works as it would have where the sequence came from.
        let back = RecordingOutput()
        let edited: [Token] = Array(1...85) + [3, 3, 3]
        other.submit(second.job(3, prompt: edited, limit: 4, output: back))
        other.run()
        #expect(back.tokens == FakeContext.expected(prompt: edited, count: 4))
        #expect((back.outcomes.first?.reuse.cachedTokens ?? 0) >= 74)
        other.pool.clearIdle()
        #expect(other.pool.idle.isEmpty && other.pool.usage.total == 0 && second.cache.isEmpty)
    }

    @Test("an import without room, or one that the memory refuses, changes nothing")
    func refused() {
        let context = FakeContext(cellCount: 16)
        var pool = SequencePool(context: context, count: 1)
        let state = SequenceState(tokens: [1, 2, 3], promptCount: 2, bytes: [1, 2, 3])
        let refused = [
            SequenceState(tokens: Array(1...17), promptCount: 2, bytes: Array(1...17)),
            SequenceState(tokens: [], promptCount: 0, bytes: []),
            SequenceState(tokens: [1, 2], promptCount: 2, bytes: [1, 2, 3]),
        ].map { pool.importIdle($0) }
        context.refuses = { true }
        let refusedByMemory = pool.importIdle(state)
        context.refuses = { false }
        #expect(refused + [refusedByMemory] == [false, false, false, false])
        #expect(context.cache.isEmpty && pool.usage.total == 0 && pool.idle.isEmpty && pool.exportIdle() == nil)
        let imported = [pool.importIdle(state), pool.importIdle(state)]
        #expect(imported == [true, false], "the memory holds something now")
    }

    @Test("errands run between steps, and none is lost when the loop stops")
    func errands() async {
        let loop = InferenceLoop(context: FakeContext(), maximumSequences: 1)
        let state = SequenceState(tokens: [1, 2], promptCount: 1, bytes: [1, 2])
        let isImported = await loop.perform { $0.importIdle(state) }
        #expect(isImported == true)
        async let counted = loop.perform { $0.usage.total }
        #expect(await counted == 2)
        loop.stop()
        await loop.ended.value()
        #expect(await loop.perform { $0.usage.total } == nil)
    }

    @Test(
        "SE-7: a context goes on with the state of another one exactly, and refuses what is no state",
        .needsRuntime, arguments: RandomModel.allCases)
    func native(kind: RandomModel) throws {
        let model = try kind.load()
        let tokens = (0..<60).map { index -> Token in
            let number = index * 7 + index / 5
            return Token(3 + number % 29)
        }
        let first = try context(model)
        try compute(first, tokens, from: 0)
        let bytes = try #require(first.saveState(of: 0))
        let second = try restored(bytes, count: tokens.count, model)
        #expect(try prediction(second, tokens.count) == prediction(first, tokens.count))
        #expect(second.saveState(of: 1) == nil)
        // Occupied sequences, other counts, foreign sequences.
        let third = try context(model)
        #expect(!second.restoreState(bytes, of: 0, count: tokens.count))
        for (sequence, count) in [(0, 59), (0, 61), (0, 0), (0, -1), (-1, 60), (2, 60), (0, Int.max)] {
            #expect(!third.restoreState(bytes, of: Int32(sequence), count: count))
            _ = third.removeSuffix(of: 0, from: 0)
        }
        var generator = SeededGenerator(seed: 11)
        for round in 0..<400 {
            var hostile = bytes
            if round < 40 {
                hostile = Array(bytes.prefix(bytes.count * round / 40))
            } else {
                // The numbers are in front; what lies behind is weights of no meaning.
                let index = Int.random(in: 0..<min(64, bytes.count), using: &generator)
                hostile[index] = .random(in: 0...255, using: &generator)
            }
            _ = third.restoreState(hostile, of: 0, count: tokens.count)
            #expect(third.removeSuffix(of: 0, from: 0))
        }
        #expect(third.restoreState(bytes, of: 0, count: tokens.count))
        let expected = try prediction(try restored(bytes, count: tokens.count, model), tokens.count)
        // Other cells than at first, so rounding may differ.
        for (token, logprob) in try prediction(third, tokens.count) {
            #expect(abs(logprob - (expected[token] ?? .infinity)) < 0.01)
        }
    }

    private func restored(_ bytes: [UInt8], count: Int, _ model: NativeModel) throws -> NativeContext {
        let context = try context(model)
        #expect(context.restoreState(bytes, of: 0, count: count))
        return context
    }

    private func context(_ model: NativeModel) throws -> NativeContext {
        let configuration = LlamaEngineConfiguration(maximumConcurrentSequences: 2, flashAttention: .disabled)
        return try NativeContext(
            model: model, settings: ContextSettings(configuration, contextSize: 256, batchSize: 64, threads: 1))
    }

    private func compute(_ context: NativeContext, _ tokens: [Token], from position: Int) throws {
        let batch = tokens.enumerated().map { offset, token in
            BatchEntry(
                token: token, position: position + offset, sequence: 0, wantsLogits: offset == tokens.count - 1)
        }
        #expect(context.decode(batch) == .decoded)
    }

    /// What the model expects behind one more token.
    private func prediction(_ context: NativeContext, _ count: Int) throws -> [Token: Double] {
        try compute(context, [9], from: count)
        let all = try context.logprobs(row: 0, chosen: 3, count: RandomModel.vocabularySize)
        return Dictionary(all.top.map { ($0.token, $0.logprob) }, uniquingKeysWith: { first, _ in first })
    }
}
