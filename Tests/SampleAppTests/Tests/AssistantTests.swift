import CarbocationLocalLLM
import Foundation
import Testing

@MainActor
@Suite("Sample app: answers", .timeLimit(.minutes(10)))
struct AssistantTests {
    // snippet.scripted
    @Test("thinking is shown apart from the answer")
    func thinkingApart() async throws {
        let engine = ScriptedLLMEngine(script: [
            [.thinking("Scattering."), .text("Because of"), .text(" scattering.")]
        ])
        let assistant = Assistant(engine: engine)
        let answer = assistant.ask("Why is the sky blue?", options: Assistant.thoughtful(budget: 128))
        await assistant.finished()
        #expect(answer.thinking == "Scattering.")
        #expect(answer.text == "Because of scattering.")
        #expect(answer.state == .complete("complete"))
        let request = try #require(await engine.receivedRequests.first)
        #expect(request.options.thinkingBudgetTokens == 128)
    }
    // snippet.end

    // snippet.stop
    @Test("the Stop button keeps what was written")
    func stop() async throws {
        let engine = ScriptedLLMEngine(script: [[.text("Once"), .delay(.seconds(3600)), .text(" upon a time")]])
        let assistant = Assistant(engine: engine)
        let answer = assistant.ask("Tell me a story.")
        while answer.text.isEmpty { await Task.yield() }
        assistant.stop()
        await assistant.finished()
        #expect(answer.text == "Once")
        #expect(answer.state == .stopped)
    }
    // snippet.end

    @Test("a script is an answer")
    func hello() async throws {
        // snippet.hello
        let engine = ScriptedLLMEngine(script: [[.thinking("Greet back."), .text("Hello"), .text(" there.")]])
        let answer = try await engine.generate(system: "", prompt: "Hi") { _ in }
        #expect(answer == "Hello there.")
        // snippet.end
        try await printAnswer(to: LLMGenerationRequest(prompt: "Hi"), from: ScriptedLLMEngine(script: [[.text("")]]))
    }

    @Test("a failure is told in words")
    func failure() async throws {
        let engine = ScriptedLLMEngine(script: [[.text("So"), .fail(LLMEngineError.decodeFailed("out of memory"))]])
        let assistant = Assistant(engine: engine)
        let answer = assistant.ask("Why?")
        await assistant.finished()
        #expect(answer.text == "So")
        #expect(answer.state == .failed(LLMEngineError.decodeFailed("out of memory").localizedDescription))
    }

    @Test("a question that is too long is told before it is sent")
    func tooLong() async throws {
        let assistant = Assistant(engine: ScriptedLLMEngine(contextSize: 100, script: []))
        #expect(try await assistant.room(for: "Why?") != nil)
        #expect(try await assistant.room(for: String(repeating: "why ", count: 200)) == nil)
    }
}
