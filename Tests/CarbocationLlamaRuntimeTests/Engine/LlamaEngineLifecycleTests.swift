import CarbocationLocalLLM
import Foundation
import Testing

@testable import CarbocationLlamaRuntime

@Suite("Loading and unloading", .needsRuntime, .timeLimit(.minutes(10)))
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
        let before = try await engine.requireLoaded(validating: story)
        let again = try await engine.load(
            modelAt: PocketModel.url, id: id, displayName: "Pocket", requestedContext: 1024)
        #expect(again == info)
        #expect(try await engine.requireLoaded(validating: story) === before)
    }

    @Test("LR-4: contexts are compared as they are loaded, and a new name or id needs no reload")
    func sameAfterClamping() async throws {
        let engine = try await PocketModel.engine(context: 9999)
        let before = try await engine.requireLoaded(validating: story)
        let id = UUID()
        for context in [0, 2048, 5000] {
            let info = try await engine.load(
                modelAt: PocketModel.url, id: id, displayName: "Other", requestedContext: context)
            #expect(info.modelID == id && info.displayName == "Other" && info.contextSize == 2048)
            #expect(try await engine.requireLoaded(validating: story) === before)
        }
        #expect(await engine.currentModelID() == id)
    }

    @Test("LR-5: a cancelled load leaves nothing loaded")
    func cancelledLoad() async throws {
        let engine = try await PocketModel.engine()
        let load = Task { try await engine.load(modelAt: PocketModel.url, requestedContext: 700) }
        load.cancel()
        await #expect(throws: CancellationError.self) { try await load.value }
        #expect(await engine.currentLoadedModelInfo() == nil)
    }

    @Test("SC-7: a file without a training context takes no context larger than any machine can hold")
    func hugeContext() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        var bytes = try Data(contentsOf: PocketModel.url)
        let key = try #require(bytes.range(of: Data("qwen3.context_length".utf8)))
        bytes.replaceSubrange((key.upperBound + 4)..<(key.upperBound + 8), with: [0, 0, 0, 0])
        let url = folder.appendingPathComponent("unknown.gguf")
        try bytes.write(to: url)
        let loader = ModelLoader(
            descriptor: LlamaModelDescriptor(url: url), requestedContext: .max,
            configuration: LlamaEngineConfiguration(gpuLayerCount: 0, threadCount: 1))
        #expect(loader.clampedContext(training: 0) == ContextSettings.largestContext)
        let engine = LlamaEngine(configuration: LlamaEngineConfiguration(gpuLayerCount: 0, threadCount: 1))
        #expect(try await engine.load(modelAt: url, requestedContext: 600).trainingContextSize == 0)
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
        let story = HeldGeneration(story, on: engine)
        await story.isHeld()
        await #expect(
            throws: LLMEngineError.modelLoadFailed("Cannot load a new model while generation is active.")
        ) { try await engine.load(modelAt: PocketModel.url, requestedContext: 600) }
        story.goOn()
        #expect(try await story.result().stopReason == .complete)
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

    @Test("LR-8: engines share the weights of one file, and free them with the last user", .timeLimit(.minutes(10)))
    func sharedWeights() async throws {
        let key = ModelPool.Key(files: [try FileIdentity(url: PocketModel.url)], gpuLayers: 0, usesMemoryMap: false)
        async let loading = PocketModel.engine { $0.useMemoryMap = false }
        let first = try await PocketModel.engine { $0.useMemoryMap = false }
        let second = try await loading
        for engine in [first, second] {
            let model = try await engine.requireLoaded(validating: story).model
            #expect(model === ModelPool.shared.model(for: key))
        }
        await first.unload()
        #expect(try await second.stream(story).result().stopReason == .complete)
        await second.unload()
        // The generation gives its lease back just after its last event.
        while ModelPool.shared.model(for: key) != nil { await Task.yield() }
    }
}

@Suite("Cancelling a generation", .needsRuntime, .timeLimit(.minutes(10)))
struct LlamaEngineCancellationTests {
    @Test("a cancelled reader gets what was generated, statistics and CancellationError (EV-4)")
    func cancelledReader() async throws {
        let engine = try await PocketModel.engine { $0.accelerationPolicy = .disabled }
        let reasons = Locked<[LLMStopReason]>([])
        let generation = HeldGeneration(.endless, on: engine) { event in
            if case .generationStats(_, _, let reason, _, _) = event { reasons.withLock { $0.append(reason) } }
        }
        await generation.isHeld()
        generation.cancel()
        generation.goOn()
        await #expect(throws: CancellationError.self) { try await generation.result() }
        #expect(reasons.withLock { $0 } == [.cancelled])
        let after = try await engine.stream(LLMGenerationRequest(prompt: "Hello")).result()
        #expect(after.generatedTokens > 0)
    }

    @Test("leaving the loop frees the sequence for the next request (EV-3)")
    func leavingTheLoop() async throws {
        let engine = try await PocketModel.engine { $0.maximumConcurrentSequences = 1 }
        for _ in 0..<3 {
            for try await event in engine.stream(.endless) {
                if case .contentDelta = event { break }
            }
        }
        let options = GenerationOptions(temperature: 0)
        let result = try await engine.stream(LLMGenerationRequest(prompt: "Count from 3 to 9.", options: options))
            .result()
        #expect(result.finalText == "3 4 5 6 7 8 9")
    }

    @Test("a generation cancelled while it waits for a sequence never starts (EV-12 tells that it waits)")
    func cancelledInQueue() async throws {
        let engine = try await PocketModel.engine {
            $0.maximumConcurrentSequences = 1
            $0.heartbeatInterval = 0.001
            // With drafts a text without end would soon reach the end of its context.
            $0.accelerationPolicy = .disabled
        }
        let running = HeldGeneration(.endless, on: engine)
        await running.isHeld()
        let queued = OneShot<Void>()
        let waiting = Task {
            for try await event in engine.stream(LLMGenerationRequest(prompt: "Hello")) {
                if case .diagnostic = event { queued.resolve(()) }
                guard case .contentDelta = event else { continue }
                Issue.record("the waiting generation started")
                queued.resolve(())
                return
            }
        }
        await queued.value()
        waiting.cancel()
        running.cancel()
        running.goOn()
        await #expect(throws: CancellationError.self) { try await waiting.value }
        await #expect(throws: CancellationError.self) { try await running.result() }
        #expect(try await engine.stream(PocketModel.dialogues[0].request).result().stopReason == .complete)
    }
}
