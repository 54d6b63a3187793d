import CarbocationLocalLLM
import Foundation
import TestSupport
import Testing

@Suite("ScriptedLLMEngine", .timeLimit(.minutes(10)))
struct ScriptedLLMEngineTests {
    private struct Failure: Error, Equatable {
        var number = 7
    }

    @Test("FE-1: each generation takes the next turn, and a used-up script throws noModelLoaded")
    func turns() async throws {
        let engine = ScriptedLLMEngine(script: [[.text("one")], [.text("t"), .text("wo")]])
        #expect(try await engine.generate(system: "", prompt: "a") { _ in } == "one")
        #expect(try await engine.generate(system: "", prompt: "b") { _ in } == "two")
        let third = await engine.transcript()
        #expect(third.error as? LLMEngineError == .noModelLoaded)
        #expect(third.events.isEmpty)
        #expect(await engine.receivedRequests.map { $0.messages.last?.content } == ["a", "b", "abcd"])
    }

    @Test("FE-1: repeatsLastTurn goes on with the last turn; without any turn there is nothing to repeat")
    func repeats() async throws {
        let engine = ScriptedLLMEngine(script: [[.text("one")], [.text("two")]], repeatsLastTurn: true)
        var answers: [String] = []
        for _ in 0..<4 { answers.append(try await engine.generate(system: "", prompt: "a") { _ in }) }
        #expect(answers == ["one", "two", "two", "two"])
        for repeats in [false, true] {
            let empty = ScriptedLLMEngine(script: [], repeatsLastTurn: repeats)
            #expect(await empty.transcript().error as? LLMEngineError == .noModelLoaded)
        }
    }

    @Test("FE-1: an empty turn is an empty answer")
    func emptyTurn() async throws {
        let result = try await ScriptedLLMEngine.result(of: [])
        #expect(
            result
                == LLMGenerationResult(stopReason: .complete, promptTokens: 2, generatedTokens: 0, rawGeneratedText: "")
        )
    }

    @Test("the model and its context are those of the initialiser")
    func facts() async {
        let id = UUID()
        let engine = ScriptedLLMEngine(modelID: id, contextSize: 100, script: [])
        #expect(await engine.currentModelID() == id)
        #expect(await engine.currentContextSize() == 100)
        let plain: any LLMEngine = ScriptedLLMEngine { _ in [] }
        #expect(await plain.currentModelID() == nil)
        #expect(await plain.currentContextSize() == 4096)
        #expect(await ScriptedLLMEngine(contextSize: -5, script: []).currentContextSize() == 0)
    }

    @Test("FE-1: a closure makes up the turns, and its error is that of the generation")
    func responses() async throws {
        let engine = ScriptedLLMEngine(modelID: nil, contextSize: 4096) { request in
            guard let text = request.messages.last?.content, text != "fail" else { throw Failure() }
            return [.text(text), .text("!")]
        }
        #expect(try await engine.generate(system: "", prompt: "Hi") { _ in } == "Hi!")
        let failed = await ScriptedTranscript(of: engine.stream(LLMGenerationRequest(prompt: "fail")))
        #expect(failed.error as? Failure == Failure())
        #expect(failed.statistics?.reason == .failed)
        #expect(failed.events.count == 2)
        #expect(await engine.receivedRequests.count == 2)
    }

    @Test("FE-2, EV-4: a failing step gives its error unchanged, after the text before it and the statistics")
    func failure() async {
        let engine = ScriptedLLMEngine(
            script: [[.thinking("Hm"), .text("a ST"), .fail(Failure(number: 3)), .text("never")]])
        let transcript = await engine.transcript(GenerationOptions(stopSequences: ["STOP"]))
        #expect(transcript.error as? Failure == Failure(number: 3))
        #expect(transcript.folded == [.thinking: "Hm", .final: "a ST"])
        guard case .generationStats(2, 2, .failed, .unavailable, .final) = transcript.events.last else {
            Issue.record("the statistics are not last: \(transcript.events)")
            return
        }
    }

    @Test("FE-2, PF: preflight counts estimated tokens and takes no turn")
    func preflight() async throws {
        let engine = ScriptedLLMEngine(contextSize: 100, script: [[.text("a")]])
        var options = GenerationOptions(maxOutputTokens: 64)
        let fits = try await engine.preflight(system: "abc", prompt: "abcd", options: options)
        #expect(
            fits
                == LLMGenerationPreflight(
                    loadedContextSize: 100, promptTokens: 3, requestedMaxOutputTokens: 64, usesExactTokenCounts: false,
                    templateMode: .unavailable))
        #expect(fits.effectiveMaxOutputTokens == 64)
        let tooLong = try await engine.preflight(system: "", prompt: String(repeating: "abc", count: 100))
        #expect(!tooLong.canGenerate)
        options.topP = -1
        await #expect(throws: LLMEngineError.self) {
            try await engine.preflight(system: "", prompt: "a", options: options)
        }
        await #expect(throws: LLMEngineError.self) { try await engine.preflight(messages: []) }
        #expect(await engine.receivedRequests.isEmpty)
        #expect(await engine.transcript().result?.finalText == "a")
    }

    @Test("MS-3, GO-4, ER-2: what is refused takes no turn and is not listed")
    func refused() async throws {
        let engine = ScriptedLLMEngine(contextSize: 100, script: [[.text("a")]])
        let invalid = await engine.transcript(GenerationOptions(temperature: .nan))
        #expect(invalid.events.isEmpty)
        guard case .invalidOptions = invalid.error as? LLMEngineError else {
            Issue.record("\(String(describing: invalid.error))")
            return
        }
        let empty = await ScriptedTranscript(of: engine.stream(LLMGenerationRequest(messages: [])))
        guard case .invalidRequest = empty.error as? LLMEngineError else {
            Issue.record("\(String(describing: empty.error))")
            return
        }
        #expect(empty.statistics == nil)
        let prompt = String(repeating: "abc", count: 100)
        let long = await ScriptedTranscript(of: engine.stream(LLMGenerationRequest(prompt: prompt)))
        #expect(
            long.error as? LLMEngineError == .contextBudgetExceeded(contextSize: 100, promptTokens: 100, reserve: 0))
        #expect(long.statistics?.reason == .contextFull)
        #expect(await engine.receivedRequests.isEmpty)
        #expect(await engine.transcript().result?.finalText == "a")
    }

    @Test("FE-3: received requests have messages and options as they were sent")
    func received() async throws {
        let engine = ScriptedLLMEngine(script: [[]], repeatsLastTurn: true)
        let control = LLMGenerationControl()
        let request = LLMGenerationRequest(
            messages: [
                LLMChatMessage(role: .system, content: "a"), LLMChatMessage(role: .system, content: "b"),
                LLMChatMessage(role: .user, content: "c"),
            ], options: GenerationOptions(topK: 5), control: control)
        _ = try await engine.stream(request).result()
        let received = await engine.receivedRequests
        #expect(received.map(\.messages) == [request.messages])
        #expect(received.map(\.options) == [request.options])
        #expect(received.first?.control === control)
    }

    @Test("EV-1: all forms to generate give the same text")
    func forms() async throws {
        let engine = ScriptedLLMEngine(script: [[.thinking("Hm"), .text("x"), .text("y")]], repeatsLastTurn: true)
        let messages = [LLMChatMessage(role: .user, content: "a")]
        let answers = [
            try await engine.generate(system: "", prompt: "a") { _ in },
            try await engine.generate(messages: messages) { _ in },
            try await engine.generate(system: "", prompt: "a", onPhaseAwareEvent: { _ in }),
            try await engine.generatePhased(messages: messages).finalText,
            try await engine.generateWithTools(LLMToolGenerationRequest(prompt: "a")).finalText,
            try await engine.generateWithToolsPhased(LLMToolGenerationRequest(messages: messages)).finalText,
        ]
        #expect(answers == Array(repeating: "xy", count: 6))
    }

    @Test("structured output: the text is delivered as it is, and decoded afterwards")
    func structured() async throws {
        struct City: LLMStructured, Equatable {
            static let jsonSchema: LLMJSONValue = [
                "type": "object", "properties": ["name": ["type": "string"]], "required": ["name"],
            ]
            var name: String
        }
        let engine = ScriptedLLMEngine(script: [
            [.thinking("Hm"), .text(#"{"name":"#), .text(#""Oslo"}"#)], [.text(#"{"name":5}"#)], [.text("Oslo")],
        ])
        #expect(try await engine.generate(as: City.self, prompt: "Where?") == City(name: "Oslo"))
        await #expect(throws: LLMEngineError.self) { try await engine.generate(as: City.self, prompt: "Where?") }
        await #expect(throws: LLMEngineError.self) { try await engine.generate(as: City.self, prompt: "Where?") }
    }

    @Test("FE-3: many tasks at once each get a turn of their own, in the order of the requests")
    func concurrency() async throws {
        let count = 200
        let engine = ScriptedLLMEngine(script: (0..<count).map { [.text("turn "), .text("\($0)")] })
        let answers = try await withThrowingTaskGroup(of: (String, String).self) { group in
            for number in 0..<count {
                group.addTask {
                    ("\(number)", try await engine.generate(system: "", prompt: "\(number)") { _ in })
                }
            }
            return try await group.reduce(into: [String: String]()) { $0[$1.0] = $1.1 }
        }
        let prompts = await engine.receivedRequests.compactMap { $0.messages.last?.content }
        #expect(Set(prompts).count == count)
        #expect(prompts.map { answers[$0] } == (0..<count).map { "turn \($0)" })
        #expect(await engine.transcript().error as? LLMEngineError == .noModelLoaded)
    }
}
