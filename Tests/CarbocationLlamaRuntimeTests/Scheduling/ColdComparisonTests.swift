import CarbocationLocalLLM
import TestSupport
import Testing

@testable import CarbocationLlamaRuntime

/// Takes any tokens.
private final class SilentOutput: TokenOutput {
    let reuse = Locked<PromptReuse?>(nil)

    func consume(_ token: Token) -> LLMStopReason? { nil }
    func report(_ progress: PromptProgress) {}
    func finish(_ outcome: JobOutcome) { reuse.withLock { $0 = outcome.reuse } }
}

/// Random conversations over one context, whose probabilities must be those of a context that knows nothing else.
private struct WarmRun {
    /// What the model said in front of each generated token.
    typealias Prediction = [Token: Double]

    /// The text of a job and its predictions, as far as it came.
    final class Record {
        let prompt: [Token]
        var generated: [Token] = []
        var predictions: [Prediction] = []
        let output = SilentOutput()

        init(prompt: [Token]) {
            self.prompt = prompt
        }
    }

    let context: NativeContext
    private(set) var records: [Record] = []
    private var scheduler: Scheduler
    private var generator: SeededGenerator
    private let stem: [Token]

    init(_ model: NativeModel, seed: UInt64) throws {
        context = try Self.context(model, sequences: 3)
        scheduler = Scheduler(context: context, maximumSequences: 3)
        var generator = SeededGenerator(seed: seed)
        stem = (0..<70).map { _ in Token.random(in: 3..<32, using: &generator) }
        self.generator = generator
    }

    static func context(_ model: NativeModel, sequences: Int) throws -> NativeContext {
        let configuration = LlamaEngineConfiguration(
            maximumConcurrentSequences: sequences, flashAttention: .disabled)
        return try NativeContext(
            model: model, settings: ContextSettings(configuration, contextSize: 768, batchSize: 256, threads: 1))
    }

    static func prediction(_ context: NativeContext, row: Int) throws -> Prediction {
        let all = try context.logprobs(row: row, chosen: 3, count: RandomModel.vocabularySize)
        return Dictionary(all.top.map { ($0.token, $0.logprob) }, uniquingKeysWith: { first, _ in first })
    }

    mutating func run(steps: Int) {
        for _ in 0..<steps {
            switch Int.random(in: 0..<8, using: &generator) {
            case 0..<3: submit()
            case 3: scheduler.cancel(UInt64(Int.random(in: 0...records.count, using: &generator)))
            case 4: context.requestAbort()
            default: break
            }
            for _ in 0..<Int.random(in: 1...12, using: &generator) { step() }
        }
        for _ in 0..<10_000 where !scheduler.isIdle { step() }
        #expect(scheduler.isIdle)
    }

    private mutating func step() {
        let plan = scheduler.plan()
        if !plan.entries.isEmpty { scheduler.perform(plan) }
        context.clearAbort()
    }

    private mutating func submit() {
        let record = Record(prompt: newPrompt())
        nonisolated(unsafe) let shared = record
        let seed = generator.next()
        records.append(record)
        scheduler.submit(
            GenerationJob(
                id: UInt64(records.count - 1), prompt: record.prompt,
                outputLimit: Int.random(in: 1...30, using: &generator), limitReason: .maxTokens,
                sample: { [context] row in
                    shared.predictions.append(try Self.prediction(context, row: row))
                    var generator = SeededGenerator(seed: seed &+ UInt64(shared.generated.count))
                    shared.generated.append(.random(in: 3..<32, using: &generator))
                    return shared.generated.last ?? 0
                }, endsGeneration: { _ in false }, output: record.output))
    }

    private mutating func newPrompt() -> [Token] {
        var tail: [Token] = []
        for _ in 0..<Int.random(in: 1...40, using: &generator) { tail.append(.random(in: 3..<32, using: &generator)) }
        guard let earlier = records.suffix(4).randomElement(using: &generator), earlier.prompt.count < 300
        else { return stem + tail }
        let text = earlier.prompt + earlier.generated
        switch Int.random(in: 0..<6, using: &generator) {
        case 0: return text + tail
        case 1: return text
        case 2: return text.prefix(Int.random(in: 0...text.count, using: &generator)) + tail
        case 3: return earlier.prompt
        case 4: return earlier.prompt + earlier.generated.suffix(3) + tail
        default: return stem + tail
        }
    }
}

@Suite("Reuse against a cold context", .needsRuntime, .timeLimit(.minutes(10)))
struct ColdComparisonTests {
    @Test(
        "PC-2, X06, X07, X11: whatever was cached, predictions are those of a cold context",
        arguments: RandomModel.allCases)
    func equal(model kind: RandomModel) throws {
        let model = try kind.load()
        var run = try WarmRun(model, seed: 5)
        run.run(steps: 150)
        var compared = 0
        for record in run.records where !record.generated.isEmpty {
            let cold = try predictions(of: record.prompt, record.generated, model: model)
            for (warm, cold) in zip(record.predictions, cold) {
                let difference = warm.map { abs($0.value - (cold[$0.key] ?? .infinity)) }.max() ?? .infinity
                // Rounding differs with the shape of batches by up to 0.003; one wrong token in front makes it 1.
                #expect(difference < 0.01)
                compared += 1
            }
        }
        let reused = run.records.filter { $0.output.reuse.withLock { $0?.cachedTokens ?? 0 } > 0 }.count
        #expect(compared > 200)
        #expect(reused > run.records.count / 4)
    }

    private func predictions(
        of prompt: [Token], _ generated: [Token], model: NativeModel
    ) throws -> [WarmRun.Prediction] {
        let context = try WarmRun.context(model, sequences: 1)
        var predictions: [WarmRun.Prediction] = []
        let tokens = prompt + generated.dropLast()
        for start in stride(from: 0, to: tokens.count, by: 20) {
            let chunk = (start..<min(start + 20, tokens.count)).map { position in
                BatchEntry(
                    token: tokens[position], position: position, sequence: 0,
                    wantsLogits: position >= prompt.count - 1)
            }
            #expect(context.decode(chunk) == .decoded)
            for (row, entry) in chunk.enumerated() where entry.wantsLogits {
                predictions.append(try WarmRun.prediction(context, row: row))
            }
        }
        return predictions
    }
}
