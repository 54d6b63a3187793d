import Testing

@testable import CarbocationLlamaRuntime

@Suite("Deadlines beside prediction layers", .needsRuntime, .timeLimit(.minutes(10)))
struct PredictionDeadlineTests {
    /// At once, and never.
    private static let (over, distant) = (1e-9, 3600.0)
    private static let prompt = (0..<24).map { Token(3 + $0 % 29) }

    /// A context whose prediction layers have read the prompt.
    private static func context(_ kind: RandomModel) throws -> NativeContext {
        let context = try NativeContext(
            model: try kind.load(predicts: true),
            settings: ContextSettings(
                LlamaEngineConfiguration(maximumConcurrentSequences: 1, flashAttention: .disabled),
                contextSize: 512, batchSize: 64, threads: 1, predictionTokens: 3))
        #expect(context.decode(entries(prompt, from: 0)) == .decoded)
        return context
    }

    private static func entries(_ tokens: [Token], from start: Int) -> [BatchEntry] {
        tokens.enumerated().map { offset, token in
            BatchEntry(token: token, position: start + offset, sequence: 0, wantsLogits: offset == tokens.count - 1)
        }
    }

    @Test("a deadline that is over stops no draft", arguments: [RandomModel.glm4moe, .qwen35])
    func drafts(kind: RandomModel) throws {
        let context = try Self.context(kind)
        let predict = { (token: Token) in
            context.predict(after: token, at: Self.prompt.count, in: 0, count: 3)
        }
        let free = (3..<32).map(predict)
        #expect(free.contains { !$0.isEmpty })
        context.setDeadline(Self.over)
        #expect((3..<32).map(predict) == free)
        #expect(!context.missedDeadline)
    }

    @Test("a batch is computed or has missed its deadline, never both, whenever that is")
    func outcomes() throws {
        let context = try Self.context(.glm4moe)
        let batch = Self.entries([5, 9], from: Self.prompt.count)
        let clock = ContinuousClock()
        var seconds = Double.infinity
        let decode = { (deadline: Double) -> DecodeOutcome in
            context.setDeadline(deadline)
            let start = clock.now
            let outcome = context.decode(batch)
            seconds = min(seconds, (clock.now - start) / .seconds(1))
            let expected = context.missedDeadline ? DecodeOutcome.aborted : .decoded
            #expect(outcome == expected)
            #expect(context.removeSuffix(of: 0, from: Self.prompt.count))
            return outcome
        }
        for _ in 0..<5 { #expect(decode(Self.distant) == .decoded) }
        // Up to the time that the layers take to read the batch, and beyond.
        let whole = seconds
        for part in 1...400 { _ = decode(whole * Double(part) / 200) }
        #expect(decode(Self.over) == .aborted)
        #expect(decode(Self.distant) == .decoded)
    }
}
