import CarbocationLocalLLM
import Foundation
import Testing

@testable import CarbocationLlamaRuntime

/// One way to keep keys and values, and to compute with them.
struct CacheTypes: Sendable, CustomTestStringConvertible {
    var keys: LlamaKVCacheType
    var values: LlamaKVCacheType
    var attention: LlamaFlashAttention

    var testDescription: String { "\(keys.rawValue) \(values.rawValue) \(attention.rawValue)" }

    static let all = [LlamaKVCacheType.f16, .bf16, .q8_0, .q4_0].flatMap { keys in
        [LlamaKVCacheType.f16, .bf16, .q8_0, .q4_0].flatMap { values in
            [LlamaFlashAttention.automatic, .enabled, .disabled].map { attention in
                CacheTypes(keys: keys, values: values, attention: attention)
            }
        }
    }

    func apply(_ configuration: inout LlamaEngineConfiguration) {
        configuration.kvTypeK = keys
        configuration.kvTypeV = values
        configuration.flashAttention = attention
    }

    var isContradiction: Bool { values.isQuantized && attention == .disabled }
}

@Suite("Types of the KV cache", .needsRuntime, .timeLimit(.minutes(10)))
struct CacheTypeTests {
    @Test("every combination generates, except quantised values without flash attention, which names both")
    func trainedModel() async throws {
        // Keeps the weights, so that each load only makes a context.
        let holder = try await PocketModel.engine(context: 512)
        let request = LLMGenerationRequest(
            prompt: "Count from 3 to 9.", options: GenerationOptions(temperature: 0, maxOutputTokens: 4))
        for types in CacheTypes.all {
            do {
                let engine = try await PocketModel.engine(context: 512, types.apply)
                #expect(!types.isContradiction)
                let result = try await engine.stream(request).result()
                #expect(result.generatedTokens > 0, "\(types.testDescription)")
                let report = try #require(await engine.currentLoadReport())
                #expect(report.kvTypeK == types.keys && report.kvTypeV == types.values)
                #expect(report.batchSize == 512 && report.refusals.isEmpty)
                let isForced = types.values.isQuantized
                #expect(report.flashAttention == (isForced ? .enabled : types.attention))
            } catch LLMEngineError.contextInitFailed(let reason) {
                #expect(types.isContradiction, "\(types.testDescription): \(reason)")
                #expect(reason.contains("kvTypeV is \(types.values.rawValue)") && reason.contains("flashAttention"))
            }
        }
        await holder.unload()
    }

    @Test("16-bit and 8-bit caches write the same greedy text as the default")
    func sameText() async throws {
        let dialogue = try #require(PocketModel.dialogues.first)
        let expected = try await PocketModel.engine(context: 1024).stream(dialogue.request).result().finalText
        for types in [
            CacheTypes(keys: .bf16, values: .bf16, attention: .disabled),
            CacheTypes(keys: .q8_0, values: .f16, attention: .disabled),
            CacheTypes(keys: .q8_0, values: .q8_0, attention: .automatic),
        ] {
            let engine = try await PocketModel.engine(context: 1024, types.apply)
            let text = try await engine.stream(dialogue.request).result().finalText
            #expect(text == expected, "\(types.testDescription)")
        }
    }

    @Test(
        "models of every kind of memory compute with a combination or refuse it with a reason",
        arguments: RandomModel.allCases)
    func smallHeads(kind: RandomModel) throws {
        let model = try kind.load()
        for types in CacheTypes.all where !types.isContradiction {
            var configuration = LlamaEngineConfiguration(maximumConcurrentSequences: 2)
            types.apply(&configuration)
            let settings = ContextSettings(configuration, contextSize: 512, batchSize: 64, threads: 2)
            do {
                let context = try NativeContext(model: model, settings: settings)
                let batch = (0..<40).map {
                    BatchEntry(token: Token(3 + $0 % 20), position: $0, sequence: 0, wantsLogits: $0 == 39)
                }
                #expect(context.decode(batch) == .decoded)
                // Blocks of 32 do not divide the heads of these models, which are 16 wide.
                #expect(kind == .mamba || !(types.keys.isQuantized || types.values.isQuantized))
            } catch let unsupported as UnsupportedContext {
                let reason = unsupported.reason
                #expect(types.keys.isQuantized || types.values.isQuantized, "\(types.testDescription): \(reason)")
                let setting = types.keys.isQuantized ? "kvTypeK" : "kvTypeV"
                #expect(reason.contains("16") && reason.hasSuffix("Set \(setting) to f16."), "\(reason)")
            }
        }
    }

    @Test("types that do not fit are refused with the setting to change, and not tried with smaller batches")
    func refusedOnce() async throws {
        let models = try SessionModels()
        let url = try models.random(.llama)
        for attention in [LlamaFlashAttention.automatic, .disabled] {
            let engine = LlamaEngine(
                configuration: SessionModels.configuration {
                    $0.kvTypeK = .q8_0
                    $0.flashAttention = attention
                })
            await #expect {
                try await engine.load(modelAt: url, requestedContext: 512)
            } throws: { error in
                guard case LLMEngineError.contextInitFailed(let reason) = error else { return false }
                return reason.hasSuffix("Set kvTypeK to f16.") && !reason.contains("smaller")
                    && !reason.contains("batch size")
            }
        }
    }

    @Test(
        "batch limits are taken as far as they make sense",
        arguments: [(Int.min, 1), (0, 1), (1, 1), (3, 3), (.max, 512)])
    func batchLimit(limit: Int, used: Int) async throws {
        let engine = try await PocketModel.engine(context: 512) { $0.batchSizeLimit = limit }
        let report = try #require(await engine.currentLoadReport())
        #expect(report.batchSize == used && report.microBatchSize == used)
        let request = LLMGenerationRequest(
            prompt: "Count from 3 to 9.", options: GenerationOptions(temperature: 0))
        #expect(try await engine.stream(request).result().finalText == "3 4 5 6 7 8 9")
    }
}
