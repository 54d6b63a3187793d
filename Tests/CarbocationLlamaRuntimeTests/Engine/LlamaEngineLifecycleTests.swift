import CarbocationLocalLLM
import Foundation
import Testing

@testable import CarbocationLlamaRuntime

@Suite("Loading and unloading", .needsRuntime, .timeLimit(.minutes(5)))
struct LlamaEngineLifecycleTests {
    private let story = LLMGenerationRequest(prompt: "Tell me a story.", options: GenerationOptions(temperature: 0))

    @Test("what is loaded is reported, and loading it again changes nothing (LR-4)")
    func info() async throws {
        let engine = LlamaEngine(configuration: LlamaEngineConfiguration(gpuLayerCount: 0, threadCount: 1))
        let id = UUID()
        let info = try await engine.load(
            modelAt: PocketModel.url, id: id, displayName: "Pocket", requestedContext: 1024)
        #expect(info.contextSize == 1024)
        #expect(info.trainingContextSize == 2048)
        #expect(info.architecture == "qwen3")
        #expect(info.hasEmbeddedChatTemplate)
        #expect(info.templateFormatter == "llama-jinja")
        #expect(info.thinkingCapabilities.supportsThinking)
        #expect(!info.supportsMTPAcceleration)
        #expect(await engine.currentModelID() == id)
        #expect(await engine.currentContextSize() == 1024)
        let again = try await engine.load(
            modelAt: PocketModel.url, id: id, displayName: "Pocket", requestedContext: 1024)
        #expect(again == info)
    }

    @Test("the context is clamped to 512 and to the training context", arguments: [(1, 512), (0, 2048), (9999, 2048)])
    func clamp(requested: Int, loaded: Int) async throws {
        let engine = try await PocketModel.engine(context: requested)
        #expect(await engine.currentContextSize() == loaded)
    }

    @Test("without a model, generating says so")
    func nothingLoaded() async {
        let engine = LlamaEngine()
        await #expect(throws: LLMEngineError.noModelLoaded) { try await engine.stream(story).result() }
        await #expect(throws: LLMEngineError.noModelLoaded) { try await engine.preflight(story) }
        #expect(await engine.currentContextSize() == 0)
    }

    @Test("unloading during a generation is deferred to its end (LR-4)")
    func deferredUnload() async throws {
        let engine = try await PocketModel.engine()
        var events = engine.stream(story).makeAsyncIterator()
        _ = try await events.next()
        await engine.unload()
        var result: LLMGenerationResult?
        while let event = try await events.next() {
            if case .completed(let completed) = event { result = completed }
        }
        #expect(result?.stopReason == .complete)
        await #expect(throws: LLMEngineError.noModelLoaded) { try await engine.stream(story).result() }
        #expect(await engine.currentLoadedModelInfo() == nil)
    }

    @Test("loading something else during a generation is refused and harms nothing (LR-4)")
    func loadWhileActive() async throws {
        let engine = try await PocketModel.engine()
        var events = engine.stream(story).makeAsyncIterator()
        _ = try await events.next()
        await #expect(
            throws: LLMEngineError.modelLoadFailed("Cannot load a new model while generation is active.")
        ) { try await engine.load(modelAt: PocketModel.url, requestedContext: 600) }
        while try await events.next() != nil {}
        #expect(await engine.currentContextSize() == 2048)
    }

    @Test("a failed load leaves nothing loaded and names the reason (LR-3, LR-5)")
    func failedLoad() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let page = folder.appendingPathComponent("page.gguf")
        try Data("<!DOCTYPE html><html></html>".utf8).write(to: page)
        let cut = folder.appendingPathComponent("cut.gguf")
        try Data(contentsOf: PocketModel.url).prefix(1_000_000).write(to: cut)
        for url in [page, cut, folder, folder.appendingPathComponent("missing.gguf")] {
            let engine = try await PocketModel.engine()
            await #expect { try await engine.load(modelAt: url, requestedContext: 512) } throws: { error in
                guard case LLMEngineError.modelLoadFailed(let reason) = error else { return false }
                return !reason.isEmpty
            }
            #expect(await engine.currentLoadedModelInfo() == nil)
        }
    }

    @Test("LR-8: engines share the weights of one file, and free them with the last user")
    func sharedWeights() async throws {
        let key = ModelPool.Key(file: try FileIdentity(url: PocketModel.url), gpuLayers: 0, usesMemoryMap: false)
        let first = try await PocketModel.engine { $0.useMemoryMap = false }
        let second = try await PocketModel.engine { $0.useMemoryMap = false }
        #expect(ModelPool.shared.model(for: key) != nil)
        await first.unload()
        #expect(try await second.stream(story).result().stopReason == .complete)
        await second.unload()
        #expect(ModelPool.shared.model(for: key) == nil)
    }
}

@Suite("Cancelling a generation", .needsRuntime, .timeLimit(.minutes(5)))
struct LlamaEngineCancellationTests {
    @Test("a cancelled reader gets what was generated, statistics and CancellationError (EV-4)")
    func cancelledReader() async throws {
        let engine = try await PocketModel.engine()
        let grammar = #"root ::= "a" root"#
        let request = LLMGenerationRequest(
            prompt: "Hello", options: GenerationOptions(temperature: 0).with(grammar: grammar))
        let reasons = Locked<[LLMStopReason]>([])
        let task = Task {
            var count = 0
            for try await event in engine.stream(request) {
                if case .contentDelta = event { count += 1 }
                if count == 3 { withUnsafeCurrentTask { $0?.cancel() } }
                if case .generationStats(_, _, let reason, _, _) = event { reasons.withLock { $0.append(reason) } }
            }
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(reasons.withLock { $0 } == [.cancelled])
        let after = try await engine.stream(LLMGenerationRequest(prompt: "Hello")).result()
        #expect(after.generatedTokens > 0)
    }

    @Test("leaving the loop frees the sequence for the next request (EV-3)")
    func leavingTheLoop() async throws {
        let engine = try await PocketModel.engine { $0.maximumConcurrentSequences = 1 }
        let endless = GenerationOptions(temperature: 0).with(grammar: #"root ::= "a" root"#)
        for _ in 0..<3 {
            for try await event in engine.stream(LLMGenerationRequest(prompt: "Hello", options: endless)) {
                if case .contentDelta = event { break }
            }
        }
        let options = GenerationOptions(temperature: 0)
        let result = try await engine.stream(LLMGenerationRequest(prompt: "Count from 3 to 9.", options: options))
            .result()
        #expect(result.finalText == "3 4 5 6 7 8 9")
    }

    @Test("a generation cancelled while it waits for a sequence never starts")
    func cancelledInQueue() async throws {
        let engine = try await PocketModel.engine { $0.maximumConcurrentSequences = 1 }
        let endless = GenerationOptions(temperature: 0).with(grammar: #"root ::= "a" root"#)
        var running = engine.stream(LLMGenerationRequest(prompt: "Hello", options: endless)).makeAsyncIterator()
        while let event = try await running.next() {
            if case .contentDelta = event { break }
        }
        let waiting = Task { try await engine.stream(LLMGenerationRequest(prompt: "Hello")).result() }
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
        while let event = try await running.next() {
            if case .completed(let result) = event { #expect(result.stopReason == .contextFull) }
        }
    }
}
