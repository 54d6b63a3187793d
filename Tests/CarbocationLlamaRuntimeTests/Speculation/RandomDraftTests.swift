import CarbocationLocalLLM
import TestSupport
import Testing

@testable import CarbocationLlamaRuntime

/// Greedy jobs over one context of a small model with random weights.
private struct GreedyRun {
    // `@unchecked` because the test drives it from one thread.
    final class Record: TokenOutput, @unchecked Sendable {
        var tokens: [Token] = []
        var logprobs: [LLMTokenLogprobs] = []
        var drafts = DraftTally()

        func consume(_ token: Token) -> LLMStopReason? {
            tokens.append(token)
            return nil
        }

        func report(_ progress: PromptProgress) {}
        func finish(_ outcome: JobOutcome) { drafts = outcome.drafts }
    }

    let model: NativeModel
    let context: NativeContext

    init(_ model: NativeModel, predictionTokens: Int = 0, sequences: Int = 2) throws {
        self.model = model
        context = try NativeContext(
            model: model,
            settings: ContextSettings(
                LlamaEngineConfiguration(maximumConcurrentSequences: sequences, flashAttention: .disabled),
                contextSize: 512, batchSize: 64, threads: 1, predictionTokens: predictionTokens))
    }

    /// Runs prompts side by side, one after the other starting a few steps later.
    func records(_ prompts: [[Token]], limit: Int, speculation: Speculation?) throws -> [Record] {
        var scheduler = Scheduler(context: context, maximumSequences: 2, speculation: speculation)
        var records: [Record] = []
        for (id, prompt) in prompts.enumerated() {
            let record = Record()
            records.append(record)
            let sampler = try NativeSampler(
                model: model, settings: try SamplerSettings(GenerationOptions(temperature: 0)))
            scheduler.submit(
                GenerationJob(
                    id: UInt64(id), prompt: prompt, outputLimit: limit, limitReason: .maxTokens,
                    sample: { [context] row in
                        let token = try sampler.sample(from: context, row: row)
                        record.logprobs.append(try context.logprobs(row: row, chosen: token, count: 1))
                        return token
                    },
                    endsGeneration: { _ in false }, output: record, isSpeculative: true))
            for _ in 0..<5 {
                let plan = scheduler.plan()
                if !plan.entries.isEmpty { scheduler.perform(plan) }
            }
        }
        scheduler.run()
        return records
    }
}

@Suite("Drafts of random models", .needsRuntime, .timeLimit(.minutes(10)))
struct RandomDraftTests {
    private static let prompts: [[Token]] = {
        var generator = SeededGenerator(seed: 2)
        return [30, 5, 70].map { count in (0..<count).map { _ in Token.random(in: 3..<32, using: &generator) } }
    }()

    private func compare(_ drafted: [GreedyRun.Record], _ plain: [GreedyRun.Record]) {
        for (drafted, plain) in zip(drafted, plain) {
            #expect(drafted.tokens == plain.tokens)
            for (left, right) in zip(drafted.logprobs, plain.logprobs) {
                // Rounding differs with the shape of batches.
                #expect(abs(left.chosen.logprob - right.chosen.logprob) < 0.01)
            }
        }
    }

    private func speculation(_ makeDrafter: @escaping @Sendable () -> any Drafter) -> Speculation {
        Speculation(draftLimit: 6, pacing: .always, now: { 0 }, makeDrafter: makeDrafter)
    }

    @Test("SP-2: a draft model with the same weights is right, one with others is not", arguments: [3, 4])
    func draftModel(seed: UInt64) throws {
        let model = try RandomModel.llama.load()
        let plain = try GreedyRun(model).records(Self.prompts, limit: 60, speculation: nil)
        let draftModel = DraftModel(
            context: try GreedyRun(RandomModel.llama.load(seed: seed)).context, leastProbability: 0)
        let drafted = try GreedyRun(model).records(
            Self.prompts, limit: 60, speculation: speculation { DraftModelDrafter(model: draftModel) })
        compare(drafted, plain)
        let drafts = drafted.map(\.drafts)
        #expect(drafts.allSatisfy { $0.calls > 0 })
        let rate = Double(drafts.reduce(0) { $0 + $1.accepted }) / Double(drafts.reduce(0) { $0 + $1.drafted })
        #expect(seed == 3 ? rate > 0.95 : rate < 0.3)
    }

    @Test("SP-2: windows and drafts that are right or wrong at random", arguments: [RandomModel.llama, .gemma2])
    func windows(kind: RandomModel) throws {
        let model = try kind.load()
        let plain = try GreedyRun(model).records(Self.prompts, limit: 90, speculation: nil)
        let texts = zip(Self.prompts, plain).map { $0 + $1.tokens }
        let truth: @Sendable ([Token]) -> Token = { tokens in
            texts.first { $0.count > tokens.count && $0.starts(with: tokens) }?[tokens.count] ?? 5
        }
        let drafted = try GreedyRun(model).records(
            Self.prompts, limit: 90, speculation: .guessing(right: 0.7, next: { min(30, truth($0)) }))
        compare(drafted, plain)
        #expect(drafted.allSatisfy { $0.drafts.accepted > 5 })
    }

    @Test(
        "SP-2, GG-7: prediction layers draft, and texts are those of plain decoding, with states too",
        arguments: [RandomModel.glm4moe, .qwen35], [1, 3])
    func prediction(kind: RandomModel, count: Int) throws {
        let plain = try GreedyRun(kind.load()).records(Self.prompts, limit: 60, speculation: nil)
        let run = try GreedyRun(kind.load(predicts: true), predictionTokens: count)
        #expect(run.context.predictsTokens)
        #expect(run.context.dropsSuffixes)
        let drafted = try run.records(
            Self.prompts, limit: 60,
            speculation: Speculation(draftLimit: count, pacing: .always, now: { 0 }) {
                PredictionDrafter(context: run.context)
            })
        compare(drafted, plain)
        #expect(drafted.allSatisfy { $0.drafts.calls > 5 && !$0.drafts.isStopped })
        #expect(drafted.allSatisfy { $0.drafts.drafted <= count * $0.drafts.calls })
    }

    @Test(
        "layers that were not loaded, or are not there, give no predictions", arguments: [RandomModel.llama, .glm4moe])
    func noPrediction(kind: RandomModel) throws {
        #expect(throws: (any Error).self) { try GreedyRun(kind.load(), predictionTokens: 1) }
        let context = try GreedyRun(kind.load()).context
        #expect(!context.predictsTokens)
        #expect(context.predict(after: 4, at: 0, in: 0, count: 2) == [])
    }
}
