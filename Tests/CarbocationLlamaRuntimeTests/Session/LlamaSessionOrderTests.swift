import CarbocationLocalLLM
import Foundation
import Testing

@testable import CarbocationLlamaRuntime

@Suite("Calls of a session", .needsRuntime, .timeLimit(.minutes(10)))
struct LlamaSessionOrderTests {
    private func next(
        _ events: inout LLMGenerationStream.AsyncIterator, until isWanted: (LLMGenerationStreamEvent) -> Bool
    ) async throws {
        while let event = try await events.next(), !isWanted(event) {}
    }

    private func isChunk(_ event: LLMGenerationStreamEvent) -> Bool {
        if case .tokenChunk = event { true } else { false }
    }

    @Test("SE-5: calls wait for earlier ones, and a cancelled one that waits holds up nobody")
    func order() async throws {
        let session = try await SessionModels.session(context: 512)
        let gate = OneShot<Void>()
        let running = Task {
            try await session.turn(prompt: "Hello") { turn in
                await gate.value()
                await turn.append(LLMChatMessage(role: .assistant, content: "Hi!"))
            }
        }
        while session.queue.count < 1 { await Task.yield() }
        let cancelled = Task { try await session.generatePhased(prompt: "never", options: .greedy()) }
        while session.queue.count < 2 { await Task.yield() }
        cancelled.cancel()
        await #expect(throws: CancellationError.self) { try await cancelled.value }
        #expect(session.queue.count == 1)
        #expect(await session.transcript.isEmpty)
        #expect(await session.currentLoadedModelInfo()?.contextSize == 512)
        async let second = session.generatePhased(prompt: "Count from 2 to 7.", options: .greedy())
        gate.resolve(())
        try await running.value
        #expect(try await second.finalText == "2 3 4 5 6 7")
        #expect(await session.transcript.map(\.content).prefix(3) == ["Hello", "Hi!", "Count from 2 to 7."])
    }

    @Test("SE-5: leaving a stream frees the way for the next call")
    func left() async throws {
        let session = try await SessionModels.session()
        for _ in 0..<3 {
            for try await event in session.stream(prompt: "Hello", options: .endless) where isChunk(event) { break }
            // A reader that the machine held up may come too late to leave anything.
            await session.reset()
        }
        let result = try await session.generatePhased(prompt: "Count from 2 to 7.", options: .greedy())
        #expect(result.finalText == "2 3 4 5 6 7")
        #expect(await session.transcript.count == 2)
    }

    @Test("SE-5: a stream that nobody reads takes no turn, and one that is read twice takes two")
    func iterators() async throws {
        let session = try await SessionModels.session()
        _ = session.stream(prompt: "unread").makeAsyncIterator()
        let stream = session.stream(prompt: "Count from 2 to 7.", options: .greedy())
        _ = try await stream.result()
        _ = try await stream.result()
        #expect(await session.transcript.filter { $0.role == .user }.count == 2)
    }

    @Test("SE-5, LR-8: sessions and engines share weights and nothing else")
    func independent() async throws {
        let models = try SessionModels()
        let url = models.file("own.gguf")
        try FileManager.default.copyItem(at: PocketModel.url, to: url)
        let first = try await SessionModels.session(url)
        let second = try await SessionModels.session(url)
        let key = ModelPool.Key(files: [try FileIdentity(url: url)], gpuLayers: 0, usesMemoryMap: true)
        #expect(ModelPool.shared.model(for: key) != nil)
        // A file whose weights are in use is not checked again.
        #expect(ModelPool.shared.facts(of: key.files) != nil)
        async let one = first.generatePhased(prompt: "My name is Olekiw.", options: .greedy())
        async let two = second.generatePhased(prompt: "Count from 2 to 7.", options: .greedy())
        #expect(try await [one, two].map(\.finalText) == ["Nice to meet you, Olekiw.", "2 3 4 5 6 7"])
        let name = try await first.generatePhased(prompt: "What is my name?", options: .greedy())
        #expect(name.finalText == "Your name is Olekiw.")
        await first.unload()
        #expect(ModelPool.shared.model(for: key) != nil)
        await second.unload()
        #expect(ModelPool.shared.model(for: key) == nil && ModelPool.shared.facts(of: key.files) == nil)
    }

    @Test("SE-6: after a reset the next turn equals a new session's first")
    func reset() async throws {
        let session = try await SessionModels.session(system: "You are kind.")
        let fresh = try await SessionModels.session(system: "You are kind.")
        _ = try await session.generatePhased(prompt: "My name is Olekiw.", options: .greedy())
        await session.reset()
        #expect(await session.transcript == [LLMChatMessage(role: .system, content: "You are kind.")])
        let after = try await session.generatePhased(prompt: "What is my name?", options: .greedy(40))
        let expected = try await fresh.generatePhased(prompt: "What is my name?", options: .greedy(40))
        #expect(after == expected || after.gist == expected.gist)
        #expect(after.cachedPromptTokens == 0)
    }

    @Test("SE-6: a fork has transcript and cache, and goes its own way", arguments: RandomModel.allCases)
    func fork(model: RandomModel) async throws {
        let models = try SessionModels()
        let url = try models.random(model)
        let session = try await SessionModels.session(url, context: 512)
        var options = GenerationOptions.greedy(20)
        options.grammar = "root ::= [A-Z]+"
        let first = try await session.generatePhased(prompt: "ABCDEFGHIJKLMNOPQRST", options: options)
        let fork = try await session.fork()
        let transcript = await session.transcript
        #expect(await fork.transcript == transcript)
        let mine = try await session.generatePhased(prompt: "XY", options: options)
        let other = try await fork.generatePhased(prompt: "ZZTOP", options: options)
        let same = try await fork.fork().generatePhased(prompt: "Q", options: options)
        #expect(mine.cachedPromptTokens >= first.promptTokens + first.generatedTokens - 1)
        #expect(other.cachedPromptTokens == mine.cachedPromptTokens)
        #expect(same.cachedPromptTokens >= other.promptTokens + other.generatedTokens - 1)
        #expect(await session.transcript.count == 4)
        #expect(await fork.transcript[2].content == "ZZTOP")
        // The same prompts in a session of their own give the same text.
        let alone = try await SessionModels.session(url, context: 512)
        _ = try await alone.generatePhased(prompt: "ABCDEFGHIJKLMNOPQRST", options: options)
        #expect(try await alone.generatePhased(prompt: "ZZTOP", options: options).gist == other.gist)
    }

    private static func expectRefusal(_ call: () async throws -> Void) async {
        await #expect {
            try await call()
        } throws: { error in
            guard case LLMEngineError.invalidRequest(let reason) = error else { return false }
            return reason.contains("inside a turn of the same session")
        }
    }

    @Test("SE-5: a call from inside a turn of the same session is refused instead of waiting for itself")
    func insideTurn() async throws {
        let session = try await SessionModels.session()
        let other = try await SessionModels.session()
        let later = try await session.turn(prompt: "Hi") { turn in
            await Self.expectRefusal { _ = try await session.preflight(prompt: "x") }
            await Self.expectRefusal { try await session.save(to: URL(fileURLWithPath: "/nonexistent/file")) }
            await Self.expectRefusal { _ = try await session.fork() }
            await Self.expectRefusal { _ = try await session.generatePhased(prompt: "x") }
            await Self.expectRefusal { _ = try await session.stream(prompt: "x").result() }
            await Self.expectRefusal { try await session.turn(prompt: "x") { _ in } }
            // Other sessions can be called, but not back from there.
            try await other.turn(prompt: "y") { turn in
                await Self.expectRefusal { _ = try await session.preflight(prompt: "x") }
                await turn.append(LLMChatMessage(role: .assistant, content: "ok"))
            }
            #expect(try await other.preflight(prompt: "x").canGenerate)
            await turn.append(LLMChatMessage(role: .assistant, content: "ok"))
            // What a turn leaves behind may call once it is over.
            return Task {
                while await session.transcript.isEmpty { await Task.yield() }
                while session.queue.count > 0 { await Task.yield() }
                return try await session.preflight(prompt: "x").canGenerate
            }
        }
        #expect(try await later.value)
        #expect(await session.transcript.map(\.content) == ["Hi", "ok"])
        #expect(session.queue.count == 0)
    }

    @Test("SE-6, SE-8: resetting or unloading inside a turn happens when it is over")
    func endingInsideTurn() async throws {
        let session = try await SessionModels.session()
        try await session.turn(prompt: "Hi") { _ in
            await session.reset()
            #expect(await session.transcript.isEmpty)
        }
        #expect(try await session.preflight(prompt: "Hi").canGenerate)
        #expect(await session.transcript.isEmpty)
        try await session.turn(prompt: "Hi") { _ in await session.unload() }
        await #expect(throws: LLMSessionError.unloaded) { try await session.preflight(prompt: "Hi") }
    }

    @Test("SE-6: a fork whose model has changed says so")
    func changedModel() async throws {
        let models = try SessionModels()
        let url = try models.random(.llama)
        let session = try await SessionModels.session(url, context: 512)
        let whole = try Data(contentsOf: url)
        try FileManager.default.removeItem(at: url)
        try Data(contentsOf: PocketModel.url).write(to: url)
        await #expect { try await session.fork() } throws: { error in
            error.localizedDescription.hasSuffix(" has changed since this session began. Start a new session.")
        }
        try FileManager.default.removeItem(at: url)
        await #expect { try await session.fork() } throws: { error in
            error.localizedDescription.hasSuffix("Install it again, or start a new session.")
        }
        try whole.write(to: url)
        _ = try await session.fork()
    }

    @Test("SE-8: after unloading every call throws, and a running generation ends first")
    func unload() async throws {
        let session = try await SessionModels.session(context: 512)
        var options = GenerationOptions.endless
        options.maxOutputTokens = 100
        var running = session.stream(prompt: "Hello", options: options).makeAsyncIterator()
        try await next(&running, until: isChunk)
        async let unloading: Void = session.unload()
        var reason: LLMStopReason?
        while let event = try await running.next() {
            if case .completed(let result) = event { reason = result.stopReason }
        }
        #expect(reason == .maxTokens)
        await unloading
        let file = URL(fileURLWithPath: "/nonexistent/file")
        await #expect(throws: LLMSessionError.unloaded) { try await session.generatePhased(prompt: "Hi") }
        await #expect(throws: LLMSessionError.unloaded) { try await session.stream(prompt: "Hi").result() }
        await #expect(throws: LLMSessionError.unloaded) { try await session.preflight(prompt: "Hi") }
        await #expect(throws: LLMSessionError.unloaded) { try await session.fork() }
        await #expect(throws: LLMSessionError.unloaded) { try await session.save(to: file) }
        await #expect(throws: LLMSessionError.unloaded) { try await session.turn(prompt: "Hi") { _ in } }
        await session.reset()
        await session.unload()
        #expect(await session.currentLoadedModelInfo() == nil)
        #expect(await session.transcript.count == 2)
        #expect(LLMSessionError.unloaded.localizedDescription.contains("unloaded"))
    }
}
