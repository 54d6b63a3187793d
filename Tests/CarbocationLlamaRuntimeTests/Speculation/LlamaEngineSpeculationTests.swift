import CarbocationLocalLLM
import Foundation
import TestSupport
import Testing

@testable import CarbocationLlamaRuntime

@Suite("Speculation with models (SP)", .needsRuntime, .timeLimit(.minutes(10)))
struct LlamaEngineSpeculationTests {
    /// An engine that drafts whenever it can, however long that takes.
    private func engine(
        sequences: Int = 4, _ change: (inout LlamaEngineConfiguration) -> Void = { _ in }
    ) async throws -> LlamaEngine {
        var configuration = LlamaEngineConfiguration(
            gpuLayerCount: 0, threadCount: 1, maximumConcurrentSequences: sequences)
        change(&configuration)
        let engine = LlamaEngine(configuration: configuration, pacing: .always)
        try await engine.load(modelAt: PocketModel.url, requestedContext: 2048)
        return engine
    }

    private func plainEngine() async throws -> LlamaEngine {
        try await PocketModel.engine { $0.accelerationPolicy = .disabled }
    }

    /// A reply that repeats much of what was there before.
    private static func repetitive(_ change: (inout GenerationOptions) -> Void = { _ in }) -> LLMGenerationRequest {
        var options = GenerationOptions(temperature: 0, maxOutputTokens: 200)
        change(&options)
        let question = LLMChatMessage(role: .user, content: "Count from 2 to 9.")
        let answer = LLMChatMessage(role: .assistant, content: "2 3 4 5 6 7 8 9")
        return LLMGenerationRequest(messages: [question, answer, question, answer, question], options: options)
    }

    /// What must be the same with and without drafts.
    private func expectEqual(_ drafted: LLMGenerationResult, _ plain: LLMGenerationResult) {
        #expect(drafted.rawGeneratedText == plain.rawGeneratedText)
        #expect(drafted.phaseSegments == plain.phaseSegments)
        #expect(drafted.stopReason == plain.stopReason)
        #expect(drafted.generatedTokens == plain.generatedTokens)
        #expect(drafted.promptTokens == plain.promptTokens)
        #expect(drafted.seed == plain.seed)
        #expect(drafted.logprobs?.map(\.chosen.token) == plain.logprobs?.map(\.chosen.token))
        for (left, right) in zip(drafted.logprobs ?? [], plain.logprobs ?? []) {
            #expect(abs(left.chosen.logprob - right.chosen.logprob) < 0.01)
        }
    }

    @Test("SP-2: greedy texts with drafts are the known ones")
    func greedy() async throws {
        let engine = try await engine()
        var total = LLMGenerationAccelerationStats(status: .unsupported, accelerator: "none")
        for dialogue in PocketModel.dialogues {
            let result = try await engine.stream(dialogue.request).result()
            #expect(result.rawGeneratedText == dialogue.expected, "\(dialogue.id)")
            let stats = try #require(result.accelerationStats)
            #expect(stats.accelerator == "ngram" && stats.status == .active, "\(dialogue.id)")
            total.merge(stats)
        }
        #expect(total.draftCalls > PocketModel.dialogues.count)
        #expect(total.draftTokensAccepted > 0)
    }

    @Test("SP-2: several at once give the texts of lone runs")
    func concurrent() async throws {
        let engine = try await engine(sequences: 3)
        let results = try await withThrowingTaskGroup(of: (Int, LLMGenerationResult).self) { group in
            for (index, dialogue) in PocketModel.dialogues.prefix(9).enumerated() {
                group.addTask { (index, try await engine.stream(dialogue.request).result()) }
            }
            return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
        }
        for (index, dialogue) in PocketModel.dialogues.prefix(9).enumerated() {
            #expect(results[index]?.rawGeneratedText == dialogue.expected)
        }
        #expect(results.values.reduce(0) { $0 + ($1.accelerationStats?.draftCalls ?? 0) } > 0)
    }

    /// Options that change how tokens are chosen or where a reply ends.
    static let variants: [@Sendable (inout GenerationOptions) -> Void] = [
        { _ in }, { $0.maxOutputTokens = 37 }, { $0.stopSequences = ["6"] }, { $0.logprobs = 3 },
        { $0.repetitionPenalty = 1.1 }, { $0.enableThinking = true }, { $0.grammar = "root ::= ([a-z0-9] | \" \")+" },
        { $0.grammar = "root ::= (\"abc\" | \"de\"){20,40}" }, { $0.jsonSchema = #"{"type":"array","minItems":9}"# },
        {
            $0.thinkingBudgetTokens = 5; $0.enableThinking = true
        },
    ]

    @Test("SP-2: stops, limits, logprobs, penalties, grammars and budgets too", arguments: 0..<10, [0, 0.9])
    func equality(variant: Int, temperature: Double) async throws {
        let request = Self.repetitive {
            Self.variants[variant](&$0)
            $0.temperature = temperature
            $0.seed = temperature > 0 ? 7 : nil
        }
        let plain = await outcome(of: request, try await plainEngine())
        let drafted = await outcome(of: request, try await engine())
        switch (plain, drafted) {
        case (.success(let plain), .success(let drafted)):
            expectEqual(drafted, plain)
            #expect(try #require(drafted.accelerationStats).draftCalls > 0)
        case (.failure(let plain), .failure(let drafted)):
            #expect(plain.localizedDescription == drafted.localizedDescription)
        default: Issue.record("only one of them failed")
        }
    }

    private func outcome(
        of request: LLMGenerationRequest, _ engine: LlamaEngine
    ) async -> Result<LLMGenerationResult, any Error> {
        do {
            return .success(try await engine.stream(request).result())
        } catch {
            return .failure(error)
        }
    }

    @Test("drafts are right where a text repeats, and the statistics are in the result and the event, in order")
    func statistics() async throws {
        let request = Self.repetitive { $0.grammar = #"root ::= "abcdef "+"# }
        var (event, names): (LLMGenerationAccelerationStats?, [String]) = (nil, [])
        var result: LLMGenerationResult?
        for try await case let next in try await engine().stream(request) {
            switch next {
            case .accelerationStats(let stats): (event, names) = (stats, names + ["accelerationStats"])
            case .generationStats: names.append("generationStats")
            case .done: names.append("done")
            case .completed(let value): (result, names) = (value, names + ["completed"])
            default: break
            }
        }
        #expect(names == ["accelerationStats", "generationStats", "done", "completed"])
        let stats = try #require(result?.accelerationStats)
        #expect(event == stats)
        #expect(stats.status == .active)
        #expect(stats.maxDraftTokens == 16)
        #expect(stats.draftCalls > 0)
        #expect(stats.draftTokensGenerated >= stats.draftTokensAccepted)
        #expect(try #require(stats.acceptanceRate) > 0.5)
    }

    @Test("SP-1, SP-2: not when it is disabled, with lazy grammars or with a control for the thinking")
    func excluded() async throws {
        let disabled = try await plainEngine().stream(Self.repetitive()).result().accelerationStats
        #expect(disabled == LLMGenerationAccelerationStats(status: .disabledByPolicy, accelerator: "none"))
        let engine = try await engine()
        var controlled = Self.repetitive { $0.enableThinking = true }
        controlled.control = LLMGenerationControl()
        let lazy = Self.repetitive {
            $0.enableThinking = true
            $0.grammar = "root ::= [a-z ]+"
        }
        for request in [controlled, lazy] {
            var status: LLMGenerationAccelerationStatus?
            for try await case .accelerationStats(let stats) in engine.stream(request) { status = stats.status }
            #expect(status == .disabledByIncompatibleControlPath)
        }
        controlled.options.enableThinking = false
        #expect(try await engine.stream(controlled).result().accelerationStats?.status == .active)
        let tools = try #require(PocketModel.toolDialogues.first)
        let status = Locked<LLMGenerationAccelerationStatus?>(nil)
        _ = try await engine.reply(to: tools.request, tools: ToolOffer(tools.definitions, choice: .auto)) { event in
            if case .accelerationStats(let stats) = event { status.withLock { $0 = stats.status } }
        }
        #expect(status.withLock { $0 } == .disabledByIncompatibleControlPath)
    }

    @Test("SP-3: left alone, what is slower is left out, and texts stay the same")
    func measured() async throws {
        let engine = try await PocketModel.engine()
        for dialogue in PocketModel.dialogues.prefix(12) {
            let result = try await engine.stream(dialogue.request).result()
            #expect(result.rawGeneratedText == dialogue.expected)
            let status = result.accelerationStats?.status
            #expect(status == .active || status == .disabledByMeasurement)
        }
    }

    @Test("a draft model with the same weights is nearly always right, and texts stay the known ones")
    func draftModel() async throws {
        let engine = try await engine { $0.draftModelURL = PocketModel.url }
        var total = LLMGenerationAccelerationStats(status: .unsupported, accelerator: "none")
        for dialogue in PocketModel.dialogues.prefix(8) {
            let result = try await engine.stream(dialogue.request).result()
            #expect(result.rawGeneratedText == dialogue.expected)
            if let stats = result.accelerationStats { total.merge(stats) }
        }
        #expect(total.status == .active)
        #expect(total.accelerator == "draft")
        #expect(total.maxDraftTokens == 8)
        #expect(try #require(total.acceptanceRate) > 0.8)
        #expect(total.draftTokensAccepted > total.draftCalls)
    }

    @Test("SP-2: sampled replies with a draft model are those of plain decoding", arguments: 0..<4)
    func sampledDrafts(seed: UInt32) async throws {
        let request = Self.repetitive {
            $0.temperature = 0.8
            $0.topK = 20
            $0.seed = seed
        }
        let plain = try await plainEngine().stream(request).result()
        let drafted = try await engine { $0.draftModelURL = PocketModel.url }.stream(request).result()
        expectEqual(drafted, plain)
        #expect(try #require(drafted.accelerationStats).draftCalls > 0)
    }

    @Test("SP-4: a draft model that cannot be used is left out with a diagnostic")
    func unusableDraftModels() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let other = folder.appendingPathComponent("other.gguf")
        try RandomModel.llama.file().write(to: other)
        let damaged = folder.appendingPathComponent("damaged.gguf")
        try Data("GGUF".utf8).write(to: damaged)
        let dialogue = try #require(PocketModel.dialogues.first)
        for url in [other, damaged, folder.appendingPathComponent("missing.gguf")] {
            let engine = try await engine { $0.draftModelURL = url }
            var messages: [String] = []
            var result: LLMGenerationResult?
            for try await event in engine.stream(dialogue.request) {
                if case .diagnostic(let message) = event { messages.append(message) }
                if case .completed(let completed) = event { result = completed }
            }
            #expect(result?.rawGeneratedText == dialogue.expected)
            #expect(
                result?.accelerationStats
                    == LLMGenerationAccelerationStats(
                        status: .runtimeUnavailable, accelerator: "draft", maxDraftTokens: 8))
            #expect(messages.contains { $0.contains(url.lastPathComponent) })
        }
    }

    /// A reply of a model with random weights, and the diagnostics beside it.
    private func reply(
        _ file: GGUFBuilder, policy: LLMAccelerationPolicy = .automatic
    ) async throws -> (result: LLMGenerationResult, info: LlamaLoadedModelInfo, messages: [String]) {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).gguf")
        defer { try? FileManager.default.removeItem(at: url) }
        try file.write(to: url)
        let engine = LlamaEngine(
            configuration: LlamaEngineConfiguration(
                gpuLayerCount: 0, useMemoryMap: false, threadCount: 1, accelerationPolicy: policy, mtpMaxDraftTokens: 3),
            pacing: .always)
        let info = try await engine.load(modelAt: url, requestedContext: 512)
        var messages: [String] = []
        var result: LLMGenerationResult?
        let options = GenerationOptions(temperature: 0, maxOutputTokens: 60)
        for try await event in engine.stream(LLMGenerationRequest(prompt: "ABCDABCD", options: options)) {
            if case .diagnostic(let message) = event { messages.append(message) }
            if case .completed(let completed) = event { result = completed }
        }
        return (try #require(result), info, messages)
    }

    @Test("SP-1: prediction layers are used where there are any", arguments: [RandomModel.glm4moe, .qwen35])
    func predictionLayers(kind: RandomModel) async throws {
        let plain = try await reply(kind.file(), policy: .disabled)
        let drafted = try await reply(kind.file())
        #expect(plain.info.supportsMTPAcceleration && drafted.info.supportsMTPAcceleration)
        expectEqual(drafted.result, plain.result)
        let stats = try #require(drafted.result.accelerationStats)
        #expect(stats.status == .active)
        #expect(stats.accelerator == "mtp")
        #expect(stats.maxDraftTokens == 3)
        #expect(stats.draftCalls > 0)
        #expect(plain.result.accelerationStats?.status == .disabledByPolicy)
    }

    @Test("GG-7, SP-4: a header may promise prediction layers that are not there")
    func promisedLayers() async throws {
        let plain = try await reply(RandomModel.llama.file(), policy: .disabled)
        let promising = try await reply(
            RandomModel.llama.file().adding("gemma4.nextn_predict_layers", .uint32(1)))
        #expect(promising.info.supportsMTPAcceleration)
        expectEqual(promising.result, plain.result)
        #expect(
            promising.result.accelerationStats
                == LLMGenerationAccelerationStats(status: .runtimeUnavailable, accelerator: "mtp", maxDraftTokens: 3))
        #expect(promising.messages.contains { $0.contains("prediction layers") })
    }

    @Test("memories that cannot drop a draft get none", arguments: RandomModel.allCases)
    func memories(kind: RandomModel) throws {
        let context = try NativeContext(
            model: try kind.load(),
            settings: ContextSettings(LlamaEngineConfiguration(), contextSize: 256, batchSize: 64, threads: 1))
        let loader = SpeculationLoader(LlamaEngineConfiguration(), hasPredictionLayers: false, pacing: .always)
        let support = try loader.support(
            context: context, threads: 1, opened: OpenedMemory(), signal: CancellationSignal())
        let plan = support.plan(SpeculationPlan.Controls())
        let isCut = kind == .llama || kind == .gemma2
        #expect(plan.status == (isCut ? .active : .runtimeUnavailable))
        #expect((support.failure == nil) == isCut)
    }

    @Test("SP-4: a generation says why nothing is drafted for a model with a state", arguments: [RandomModel.mamba])
    func reason(kind: RandomModel) async throws {
        let plain = try await reply(kind.file(), policy: .disabled)
        let drafted = try await reply(kind.file())
        expectEqual(drafted.result, plain.result)
        #expect(
            drafted.result.accelerationStats
                == LLMGenerationAccelerationStats(status: .runtimeUnavailable, accelerator: "ngram", maxDraftTokens: 16)
        )
        #expect(drafted.messages == ["The memory of this model cannot take drafts back; it generates without them."])
        #expect(plain.messages.isEmpty)
    }
}
