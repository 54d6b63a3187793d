import CarbocationLocalLLM
import CarbocationLocalLLMRuntime
import Foundation
import TestSupport
import Testing

@Suite("Sessions of the facade", .needsRuntime, .timeLimit(.minutes(10)))
struct LocalLLMSessionTests {
    @Test("SE-1: a session remembers, and its transcript says what")
    func memory() async throws {
        let pocket = try await PocketLibrary()
        let session = try await pocket.session(system: "You are kind.")
        #expect(await session.currentLoadedModelInfo()?.selection == pocket.selection)
        #expect(await session.transcript == [LLMChatMessage(role: .system, content: "You are kind.")])
        let options = GenerationOptions.greedy(thinks: true)
        let first = try await session.generatePhased(prompt: "My name is Olekiw.", options: options)
        let answer = try await session.generate(prompt: "What is my name?", options: options) { _ in }
        #expect(answer == "Your name is Olekiw.")
        let transcript = await session.transcript
        #expect(transcript.map(\.role) == [.system, .user, .assistant, .user, .assistant])
        #expect(transcript[2] == first.assistantMessage)
        let third = try await session.generatePhased(prompt: "Count from 2 to 7.", options: options)
        #expect(third.cachedPromptTokens >= first.promptTokens + first.generatedTokens)
    }

    @Test("SE-1, TL: calls and outputs of tools enter the transcript with their turn")
    func tools() async throws {
        let pocket = try await PocketLibrary()
        let session = try await pocket.session()
        let result = try await session.generateWithTools(
            prompt: "What is 17 plus 25?", options: .greedy(160), tools: [ToolContract.calculate()])
        #expect(result.finalText == "The result is 42.")
        #expect(result.toolCalls.count == 1 && result.roundsCompleted == 1)
        let transcript = await session.transcript
        #expect(transcript.map(\.role) == [.user, .assistant, .tool, .assistant])
        #expect(transcript[1].toolCalls == result.toolCalls)
        #expect(transcript[2].toolCallID == result.toolCalls[0].id)
        #expect(transcript[3].content == "The result is 42.")
        let next = try await session.generatePhased(prompt: "Count from 2 to 7.", options: .greedy())
        #expect(next.cachedPromptTokens > 0)
        #expect(await session.transcript.count == 6)
    }

    @Test("SE-2: a turn with tools that fails or is cancelled leaves no trace")
    func failedTools() async throws {
        let pocket = try await PocketLibrary()
        let session = try await pocket.session()
        let cancelled = ToolContract.calculate { _ in throw CancellationError() }
        await #expect(throws: CancellationError.self) {
            try await session.generateWithTools(
                prompt: "What is 17 plus 25?", options: .greedy(160), tools: [cancelled])
        }
        await #expect(throws: LLMToolError.self) {
            try await session.generateWithTools(prompt: "Hi", tools: [cancelled, cancelled])
        }
        #expect(await session.transcript.isEmpty)
        let answer = try await session.generate(prompt: "What is 2 plus 3?", options: .greedy()) { _ in }
        #expect(answer == "5")
    }

    @Test("SE-5: a tool that calls its own session is refused instead of waiting for itself")
    func nested() async throws {
        let pocket = try await PocketLibrary()
        let session = try await pocket.session()
        let tool = ToolContract.calculate { _ in
            _ = try await session.generatePhased(prompt: "Hello")
            return .null
        }
        let result = try await session.generateWithTools(
            prompt: "What is 17 plus 25?", options: .greedy(160), tools: [tool])
        #expect(result.toolOutputs.map(\.isError) == [true])
    }

    @Test("SE-4: preflight counts earlier turns")
    func preflight() async throws {
        let pocket = try await PocketLibrary()
        let session = try await pocket.session(context: 512)
        let before = try await session.preflight(prompt: "Hello")
        let first = try await session.generatePhased(prompt: "Count from 2 to 7.", options: .greedy(thinks: true))
        let after = try await session.preflight(prompt: "Hello")
        #expect(after.promptTokens >= before.promptTokens + first.generatedTokens)
        let long = String(repeating: "word ", count: 600)
        #expect(try await session.preflight(prompt: long).canGenerate == false)
        await #expect(throws: LLMEngineError.self) { try await session.generate(prompt: long) { _ in } }
        await #expect(throws: LLMEngineError.self) {
            try await session.preflight(prompt: "", options: GenerationOptions(thinkingBudgetTokens: -1))
        }
        #expect(await session.transcript.count == 2)
    }

    @Test("SE-6: forks go their own ways, a reset session is new")
    func forkAndReset() async throws {
        let pocket = try await PocketLibrary()
        let session = try await pocket.session()
        let options = GenerationOptions.greedy(thinks: true)
        let first = try await session.generatePhased(prompt: "My name is Olekiw.", options: options)
        let fork = try await session.fork()
        let mine = try await session.generatePhased(prompt: "What is my name?", options: options)
        let its = try await fork.generatePhased(prompt: "What is my name?", options: options)
        #expect(mine.finalText == "Your name is Olekiw." && its.finalText == mine.finalText)
        #expect(its.cachedPromptTokens >= first.promptTokens + first.generatedTokens - 1)
        await session.reset()
        #expect(await session.transcript.isEmpty)
        #expect(await fork.transcript.count == 4)
        let again = try await session.generatePhased(prompt: "My name is Olekiw.", options: options)
        #expect(again.finalText == first.finalText && again.promptTokens == first.promptTokens)
    }

    @Test("SE-7: a saved session goes on, also when its model was installed anew")
    func restore() async throws {
        let pocket = try await PocketLibrary()
        let session = try await pocket.session()
        let options = GenerationOptions.greedy(thinks: true)
        _ = try await session.generatePhased(prompt: "My name is Olekiw.", options: options)
        let file = await pocket.file("saved.session")
        try await session.save(to: file)
        let expected = try await session.generatePhased(prompt: "What is my name?", options: options)
        let other = try await PocketLibrary()
        #expect(other.selection != pocket.selection)
        for library in [pocket, other] {
            let restored = try await LocalLLMSession(
                restoring: file, from: library.library, configuration: .small)
            #expect(await restored.currentLoadedModelInfo()?.selection == library.selection)
            let result = try await restored.generatePhased(prompt: "What is my name?", options: options)
            #expect(result.finalText == expected.finalText)
            #expect(result.cachedPromptTokens == expected.cachedPromptTokens)
            #expect(await restored.transcript == session.transcript)
        }
    }

    @Test("SE-7: another model, a missing one, a damaged file and no file are refused")
    func refusedRestore() async throws {
        let pocket = try await PocketLibrary()
        let session = try await pocket.session()
        let file = await pocket.file("saved.session")
        try await session.save(to: file)
        let restore = { (url: URL) in
            _ = try await LocalLLMSession(restoring: url, from: pocket.library, configuration: .small)
        }
        let damaged = await pocket.file("damaged.session")
        try Data(contentsOf: file).dropLast().write(to: damaged)
        await #expect { try await restore(damaged) } throws: { error in
            if case LLMSessionError.damagedSnapshot = error { true } else { false }
        }
        await #expect(throws: (any Error).self) { try await restore(damaged.appendingPathExtension("none")) }
        try await pocket.library.delete(id: pocket.model.id)
        await #expect { try await restore(file) } throws: { error in
            if case LLMSessionError.modelMismatch = error { true } else { false }
        }
    }

    @Test("SE-5: calls run in the order in which they were made")
    func order() async throws {
        let pocket = try await PocketLibrary()
        for _ in 0..<5 {
            let session = try await pocket.session()
            // The first turn holds the session until the others are made; each hop to the actor keeps its order.
            let gate = OneShot<Void>()
            let tool = ToolContract.calculate { arguments in
                await gate.value()
                return ["ok": true, "result": 42]
            }
            async let first = session.generateWithTools(
                prompt: "What is 17 plus 25?", options: .greedy(160), tools: [tool],
                onPhaseAwareEvent: { event in
                    if case .toolCallStarted = event { gate.resolve(()) }
                })
            await gate.value()
            async let second = session.generatePhased(prompt: "Count from 2 to 7.", options: .greedy())
            #expect(try await first.finalText == "The result is 42.")
            _ = try await second
            await session.reset()
            #expect(await session.transcript.isEmpty)
            _ = try await session.generatePhased(prompt: "What is 2 plus 3?", options: .greedy())
            await session.unload()
            #expect(await session.transcript.map(\.content) == ["What is 2 plus 3?", "5"])
        }
    }

    @Test("SE-8: after unloading every call throws")
    func unloaded() async throws {
        let pocket = try await PocketLibrary()
        let session = try await pocket.session()
        await session.unload()
        #expect(await session.currentLoadedModelInfo() == nil)
        await Self.expectUnloaded(session)
        await #expect(throws: LLMSessionError.unloaded) { try await session.save(to: pocket.file("x")) }
        await #expect(throws: LLMSessionError.unloaded) { try await session.fork() }
    }

    private static func expectUnloaded(_ session: LocalLLMSession) async {
        await #expect(throws: LLMSessionError.unloaded) { try await session.generate(prompt: "Hi") { _ in } }
        await #expect(throws: LLMSessionError.unloaded) { try await session.stream(prompt: "Hi").result() }
    }

    @Test("SE-1, SE-7: sessions with a system model")
    func systemModel() async throws {
        let scripted = ScriptedSystem([[.text("One.")], [.text("Two.")]])
        let library = await ModelLibrary(root: FileManager.default.temporaryDirectory.appendingPathComponent("none"))
        let open = {
            try await LocalLLMSession(
                selection: .system(.appleIntelligence), system: "Be brief.", from: library, requestedContext: 0,
                systemModels: scripted.models)
        }
        let session = try await open()
        #expect(try await session.generate(prompt: "A") { _ in } == "One.")
        #expect(try await session.generate(prompt: "B") { _ in } == "Two.")
        #expect(await session.transcript.map(\.content) == ["Be brief.", "A", "One.", "B", "Two."])
        await #expect(throws: LLMSessionError.saveUnsupported) {
            try await session.save(to: FileManager.default.temporaryDirectory.appendingPathComponent("none"))
        }
        await session.unload()
        await Self.expectUnloaded(session)
        scripted.setAvailable(false)
        await #expect(throws: LocalLLMEngineError.unavailableSystemModel(.appleIntelligence)) { _ = try await open() }
    }

    @Test("CP-8: a session needs an installed model")
    func unknownModel() async throws {
        let pocket = try await PocketLibrary()
        let id = UUID()
        await #expect(throws: LocalLLMEngineError.installedModelNotFound(id)) {
            _ = try await LocalLLMSession(
                selection: .installed(id), from: pocket.library, requestedContext: 512, configuration: .small)
        }
    }
}
