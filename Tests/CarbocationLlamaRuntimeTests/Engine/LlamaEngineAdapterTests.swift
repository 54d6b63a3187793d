import CarbocationLocalLLM
import Foundation
import TestSupport
import Testing

@testable import CarbocationLlamaRuntime

@Suite("Loading with LoRA adapters", .needsRuntime, .timeLimit(.minutes(10)))
struct LlamaEngineAdapterTests {
    private let story = LLMGenerationRequest(
        prompt: "Tell me a story.", options: GenerationOptions(temperature: 0, maxOutputTokens: 48))
    private let files: PocketAdapter

    init() throws {
        files = try PocketAdapter()
    }

    private func text(_ adapters: [LlamaAdapter]) async throws -> String? {
        let engine = try await PocketModel.engine { $0.adapters = adapters }
        return try await engine.stream(story).result().rawGeneratedText
    }

    @Test("an adapter of zeros and one with the scale 0 change no text, a random one does")
    func texts() async throws {
        let zeros = try files.write(PocketAdapter.builder(strength: 0).bytes(), "zeros.gguf")
        let random = try files.write(PocketAdapter.builder(strength: 1).bytes(), "random.gguf")
        let plain = try await text([])
        #expect(try await text([LlamaAdapter(url: zeros)]) == plain)
        #expect(try await text([LlamaAdapter(url: random, scale: 0)]) == plain)
        let changed = try await text([LlamaAdapter(url: random)])
        #expect(changed != plain)
        #expect(try await text([LlamaAdapter(url: zeros), LlamaAdapter(url: random)]) == changed)
        // What one adds the other takes away.
        let copy = try files.write(PocketAdapter.builder(strength: 1).bytes(), "copy.gguf")
        #expect(try await text([LlamaAdapter(url: random), LlamaAdapter(url: copy, scale: -1)]) == plain)
    }

    @Test("LR-4: the same adapters need no reload; a changed file, scale or order does")
    func identity() async throws {
        let url = try files.write(PocketAdapter.builder(strength: 0).bytes())
        let other = try files.write(PocketAdapter.builder(strength: 1).bytes(), "other.gguf")
        let adapters = [LlamaAdapter(url: url), LlamaAdapter(url: other, scale: 0.5)]
        let engine = try await PocketModel.engine(context: 512) { $0.adapters = adapters }
        let before = try await engine.requireLoaded(validating: story)
        try await engine.load(modelAt: PocketModel.url, requestedContext: 512)
        #expect(try await engine.requireLoaded(validating: story) === before)
        for change: [LlamaAdapter] in [
            [], [adapters[0]], adapters.reversed(), [adapters[0], LlamaAdapter(url: other, scale: 1)],
        ] {
            #expect(!loader(change).matches(before))
        }
        #expect(loader(adapters).matches(before))
        try Data(PocketAdapter.builder(strength: 2).adding("general.name", .string("new")).bytes()).write(to: other)
        #expect(!loader(adapters).matches(before))
    }

    private func loader(_ adapters: [LlamaAdapter]) -> ModelLoader {
        ModelLoader(
            descriptor: LlamaModelDescriptor(url: PocketModel.url), requestedContext: 512,
            configuration: LlamaEngineConfiguration(gpuLayerCount: 0, threadCount: 1, adapters: adapters))
    }

    @Test("LR-8: weights are shared by engines with the same adapters, whatever their scales")
    func sharing() async throws {
        let url = try files.write(PocketAdapter.builder(strength: 1).bytes())
        var models: [NativeModel] = []
        for adapters in [[LlamaAdapter(url: url)], [LlamaAdapter(url: url, scale: 0)], []] {
            let engine = try await PocketModel.engine { $0.adapters = adapters }
            models.append(try await engine.requireLoaded(validating: story).model)
        }
        #expect(models[0] === models[1])
        #expect(models[0] !== models[2])
    }

    @Test("adapters that cannot be used are refused by name, and nothing is loaded")
    func refusals() async throws {
        let sound = PocketAdapter.builder(strength: 1)
        let foreign = PocketAdapter.builder(strength: 1, architecture: "llama")
        let stray = PocketAdapter.stray
        var misshapen = GGUFBuilder()
        for entry in sound.keyValues { misshapen.add(keyBytes: entry.key, entry.value) }
        misshapen.add(.float32("blk.1.ffn_down.weight.lora_a", dimensions: [128, 4]))
        misshapen.add(.float32("blk.1.ffn_down.weight.lora_b", dimensions: [4, 128]))
        let cases: [(URL, Float, String)] = [
            (try files.write(foreign.bytes(), "foreign.gguf"), 1, "qwen3"),
            (try files.write(sound.bytes().dropLast(600), "cut.gguf"), 1, "cut.gguf"),
            (try files.write(sound.bytes().prefix(40), "stub.gguf"), 1, "stub.gguf"),
            (try files.write("<!DOCTYPE html>".utf8, "page.gguf"), 1, "page.gguf"),
            (PocketModel.url, 1, "not an adapter"),
            (try files.missing, 1, "missing.gguf"),
            (try files.write(stray.bytes(), "stray.gguf"), 1, "stray.gguf"),
            (try files.write(misshapen.bytes(), "misshapen.gguf"), 1, "misshapen.gguf"),
            (try files.write(sound.bytes(), "sound.gguf"), .nan, "scale"),
        ]
        for (url, scale, word) in cases {
            let engine = LlamaEngine(
                configuration: LlamaEngineConfiguration(
                    gpuLayerCount: 0, threadCount: 1, adapters: [LlamaAdapter(url: url, scale: scale)]))
            await #expect {
                try await engine.load(modelAt: PocketModel.url, requestedContext: 512)
            } throws: { error in
                guard case LLMEngineError.modelLoadFailed(let reason) = error else { return false }
                return reason.contains(word)
            }
            #expect(await engine.currentLoadedModelInfo() == nil)
        }
    }

    @Test("a load that fails with its weights open is waited for by what comes next")
    func lateFailure() async throws {
        let model = try files.write(Data(contentsOf: PocketModel.url), "copy.gguf")
        let stray = LlamaAdapter(url: try files.write(PocketAdapter.stray.bytes(), "stray.gguf"))
        let engine = LlamaEngine(
            configuration: LlamaEngineConfiguration(gpuLayerCount: 0, threadCount: 1, adapters: [stray]))
        await #expect(throws: LLMEngineError.self) { try await engine.load(modelAt: model, requestedContext: 512) }
        let release = await engine.lastRelease
        #expect(release?.weights.count == 1)
        #expect(release?.weights.first?.model == nil)
        await engine.unload()
        #if os(Linux)
            // The file is mapped as long as the weights are there.
            let maps = try String(contentsOfFile: "/proc/self/maps", encoding: .utf8)
            #expect(!maps.contains(model.path))
        #endif
    }
}

extension PocketAdapter {
    /// An adapter that is found not to fit only when the weights are there.
    fileprivate static var stray: GGUFBuilder {
        var stray = builder(strength: 1)
        stray.add(.float32("blk.99.ffn_down.weight.lora_a", dimensions: [256, 4]))
        stray.add(.float32("blk.99.ffn_down.weight.lora_b", dimensions: [4, 128]))
        return stray
    }

    fileprivate var missing: URL {
        get throws { try write([], "empty.gguf").deletingLastPathComponent().appendingPathComponent("missing.gguf") }
    }
}
