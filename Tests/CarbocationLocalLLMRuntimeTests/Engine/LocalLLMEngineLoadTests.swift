import CarbocationLlamaRuntime
import CarbocationLocalLLM
import CarbocationLocalLLMRuntime
import Foundation
import Testing

@Suite("What an engine has loaded", .needsRuntime, .timeLimit(.minutes(10)))
struct LocalLLMEngineLoadTests {
    private static let system = LLMModelSelection.system(.appleIntelligence)

    /// Whether selection, description and model are all there or all gone.
    private static func expectLoaded(_ selection: LLMModelSelection?, in engine: LocalLLMEngine) async {
        #expect(await engine.currentSelection() == selection)
        #expect(await engine.currentLoadedModelInfo()?.selection == selection)
        let id: UUID? = if case .installed(let id)? = selection { id } else { nil }
        #expect(await engine.currentModelID() == id)
        let context = await engine.currentContextSize()
        #expect((context > 0) == (selection != nil))
        #expect(await engine.currentLlamaEngine()?.currentModelID() == id)
        if selection == nil {
            await #expect(throws: LocalLLMEngineError.noSelectionLoaded) {
                try await engine.generate(system: "", prompt: "Hello") { _ in }
            }
            await #expect(throws: LocalLLMEngineError.noSelectionLoaded) {
                try await engine.preflight(system: "", prompt: "Hello")
            }
            await #expect(throws: LocalLLMEngineError.noSelectionLoaded) {
                try await engine.generateWithTools(LLMToolGenerationRequest(prompt: "Hello"))
            }
        }
    }

    @Test("CP-8: load, generate, unload")
    func load() async throws {
        let pocket = try await PocketLibrary()
        let engine = LocalLLMEngine(configuration: .small)
        await Self.expectLoaded(nil, in: engine)
        let info = try await engine.load(selection: pocket.selection, from: pocket.library, requestedContext: 1000)
        #expect(info.displayName == "Pocket" && info.contextSize == 1000 && info.trainingContextSize == 2048)
        #expect(info.supportsGrammar && info.usesExactTokenCounts && info.thinkingCapabilities.supportsThinking)
        #expect(await engine.currentLoadedModelInfo() == info)
        await Self.expectLoaded(pocket.selection, in: engine)
        let answer = try await engine.generate(system: "", prompt: "What is 2 plus 3?", options: .greedy()) { _ in }
        #expect(answer == "5")
        let again = try await engine.load(selection: pocket.selection, from: pocket.library, requestedContext: 1000)
        #expect(again == info)
        await engine.unload()
        await Self.expectLoaded(nil, in: engine)
    }

    @Test("CP-8: a failed load leaves nothing loaded, whatever was loaded before")
    func failedLoad() async throws {
        let pocket = try await PocketLibrary()
        let broken = try await pocket.addHeader(contextLength: 4096)
        let unknown = UUID()
        for (selection, expected) in [
            (LLMModelSelection.installed(unknown), LocalLLMEngineError.installedModelNotFound(unknown)),
            (.installed(broken.id), nil), (Self.system, .unavailableSystemModel(.appleIntelligence)),
        ] {
            let scripted = ScriptedSystem()
            scripted.setAvailable(false)
            let engine = try await pocket.engine(scripted.models)
            let error = await #expect(throws: (any Error).self) {
                try await engine.load(selection: selection, from: pocket.library, requestedContext: 0)
            }
            if let expected {
                #expect(error as? LocalLLMEngineError == expected)
            } else {
                #expect(error is LLMEngineError)
            }
            await Self.expectLoaded(nil, in: engine)
            try await engine.load(selection: pocket.selection, from: pocket.library, requestedContext: 512)
            await Self.expectLoaded(pocket.selection, in: engine)
        }
    }

    @Test("CP-8: a cancelled load leaves nothing loaded")
    func cancelledLoad() async throws {
        let pocket = try await PocketLibrary()
        let engine = try await pocket.engine()
        let load = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await engine.load(selection: pocket.selection, from: pocket.library, requestedContext: 512)
        }
        await #expect(throws: CancellationError.self) { try await load.value }
        await Self.expectLoaded(nil, in: engine)
    }

    @Test("CP-8: a load that is cancelled while it waits for another leaves what that one loads, or nothing")
    func cancelledWhileQueued() async throws {
        let pocket = try await PocketLibrary()
        let engine = LocalLLMEngine(configuration: .small)
        for context in [512, 600, 700, 800] {
            async let first = engine.load(
                selection: pocket.selection, from: pocket.library, requestedContext: context)
            let second = Task {
                try await engine.load(selection: pocket.selection, from: pocket.library, requestedContext: context + 1)
            }
            second.cancel()
            _ = try? await first
            await #expect(throws: CancellationError.self) { try await second.value }
            await engine.unload()
            await Self.expectLoaded(nil, in: engine)
        }
    }

    @Test("loading what is loaded does not disturb generations that begin meanwhile")
    func reload() async throws {
        let pocket = try await PocketLibrary()
        let engine = try await pocket.engine()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<20 {
                group.addTask {
                    try await engine.load(
                        selection: pocket.selection, from: pocket.library, requestedContext: 2048)
                    let answer = try await engine.generate(
                        system: "", prompt: "What is 2 plus 3?", options: .greedy()
                    ) { _ in }
                    #expect(answer == "5")
                }
            }
            try await group.waitForAll()
        }
    }

    @Test("a model that was installed after the last refresh is found; one that was deleted is not")
    func unlisted() async throws {
        let pocket = try await PocketLibrary()
        let other = await ModelLibrary(root: pocket.library.root, searchConfiguration: .managedOnly)
        let engine = LocalLLMEngine(configuration: .small)
        try await engine.load(selection: pocket.selection, from: other, requestedContext: 512)
        await Self.expectLoaded(pocket.selection, in: engine)
        try await pocket.library.delete(id: pocket.model.id)
        await #expect(throws: LocalLLMEngineError.installedModelNotFound(pocket.model.id)) {
            try await engine.load(selection: pocket.selection, from: pocket.library, requestedContext: 512)
        }
        await Self.expectLoaded(nil, in: engine)
    }

    @Test("routing: the system's model instead of a file, and back")
    func systemModel() async throws {
        let pocket = try await PocketLibrary()
        let scripted = ScriptedSystem()
        let engine = try await pocket.engine(scripted.models)
        let info = try await engine.load(selection: Self.system, from: pocket.library, requestedContext: 0)
        #expect(info.contextSize == 4096 && !info.supportsGrammar && !info.usesExactTokenCounts)
        #expect(await engine.currentSelection() == Self.system)
        #expect(await engine.currentModelID() == nil)
        #expect(await engine.currentLlamaEngine() == nil)
        #expect(try await engine.generate(system: "", prompt: "Hello") { _ in } == "From the system.")
        #expect(try await engine.preflight(system: "", prompt: "Hello").usesExactTokenCounts == false)
        try await engine.load(selection: pocket.selection, from: pocket.library, requestedContext: 512)
        #expect(try await engine.generate(system: "", prompt: "What is 2 plus 3?", options: .greedy()) { _ in } == "5")
        #expect(await scripted.engine.receivedRequests.count == 1)
    }

    @Test("LR-4: another load while a generation runs is refused, and the generation goes on")
    func loadWhileGenerating() async throws {
        let pocket = try await PocketLibrary()
        let engine = try await pocket.engine(ScriptedSystem().models)
        let refusal = LLMEngineError.modelLoadFailed("Cannot load a new model while generation is active.")
        // Those that wait for others keep the model, too: however fast it is, the last one has hardly begun.
        var runs = (0..<32).map { _ in engine.stream(.endless).makeAsyncIterator() }
        for index in runs.indices { #expect(try await runs[index].next() != nil) }
        for (selection, context) in [(Self.system, 0), (.installed(UUID()), 0), (pocket.selection, 600)] {
            await #expect(throws: refusal) {
                try await engine.load(selection: selection, from: pocket.library, requestedContext: context)
            }
            await Self.expectLoaded(pocket.selection, in: engine)
        }
        let same = try await engine.load(selection: pocket.selection, from: pocket.library, requestedContext: 2048)
        #expect(same.contextSize == 2048)
        #expect(try await runs[31].next() != nil)
    }

    @Test("LR-4: an unload while a generation runs waits for its end, and nothing new begins")
    func unloadWhileGenerating() async throws {
        let pocket = try await PocketLibrary()
        let engine = try await pocket.engine()
        let options = GenerationOptions(temperature: 0, maxOutputTokens: 200).with(grammar: #"root ::= "a" root"#)
        var events = engine.stream(LLMGenerationRequest(prompt: "Hello", options: options)).makeAsyncIterator()
        while let event = try await events.next() {
            if case .contentDelta = event { break }
        }
        await engine.unload()
        await Self.expectLoaded(nil, in: engine)
        var result: LLMGenerationResult?
        while let event = try await events.next() {
            if case .completed(let completed) = event { result = completed }
        }
        #expect(result?.generatedTokens == 200)
        #expect(result?.stopReason == .maxTokens)
    }

    @Test("SV-1, CP-8: a stored selection is read or refused")
    func selection() throws {
        let id = UUID()
        #expect(try LocalLLMEngine.selection(from: " \(id.uuidString.lowercased())\n") == .installed(id))
        #expect(try LocalLLMEngine.selection(from: "system.apple-intelligence") == Self.system)
        for text in ["", "not-a-model", "system.unknown", "model.gguf"] {
            #expect(throws: LocalLLMEngineError.invalidSelection(text)) { try LocalLLMEngine.selection(from: text) }
        }
    }

    @Test("SC-1: without the framework there are no system models")
    func noSystemModels() {
        #if !canImport(Darwin)
            #expect(LocalLLMEngine.availableSystemModels().isEmpty)
        #endif
    }
}

extension LLMGenerationRequest {
    /// Asks for a text that ends only with its context.
    static var endless: LLMGenerationRequest {
        LLMGenerationRequest(
            prompt: "Hello", options: GenerationOptions(temperature: 0).with(grammar: #"root ::= "a" root"#))
    }
}
