import CarbocationLocalLLM
import Foundation
import TestSupport
import Testing

/// The code of Documentation/testing.md, which shows it as it is here.
@Suite("The guide to testing", .timeLimit(.minutes(10)))
struct TestingGuideTests {
    struct Summarizer: Sendable {
        var engine: any LLMEngine

        func summary(of text: String) async throws -> String {
            try await engine.generate(system: "Summarise in one sentence.", prompt: text) { _ in }
        }
    }

    struct City: LLMStructured {
        static let jsonSchema: LLMJSONValue = [
            "type": "object", "properties": ["name": ["type": "string"]], "required": ["name"],
        ]
        var name: String
    }

    @Test func summarises() async throws {
        let engine = ScriptedLLMEngine(script: [[.text("The sky"), .text(" is blue.")]])
        let summary = try await Summarizer(engine: engine).summary(of: "A long text about the sky.")
        #expect(summary == "The sky is blue.")
        let request = try #require(await engine.receivedRequests.first)
        #expect(request.messages.map(\.content) == ["Summarise in one sentence.", "A long text about the sky."])
    }

    @Test func conversation() async throws {
        let engine = ScriptedLLMEngine(script: [[.text("Hello.")], [.text("I am fine.")]])
        let first = try await engine.generatePhased(system: "", prompt: "Hi")
        let messages = [
            LLMChatMessage(role: .user, content: "Hi"), first.assistantMessage,
            LLMChatMessage(role: .user, content: "How are you?"),
        ]
        #expect(try await engine.generate(messages: messages) { _ in } == "I am fine.")
        #expect(await engine.receivedRequests.last?.messages == messages)
        await #expect(throws: LLMEngineError.noModelLoaded) {
            try await engine.generate(system: "", prompt: "Once more") { _ in }
        }
    }

    @Test func echo() async throws {
        let engine = ScriptedLLMEngine { request in
            [.text("You said: \(request.messages.last?.content ?? "")")]
        }
        #expect(try await engine.generate(system: "", prompt: "Hi") { _ in } == "You said: Hi")
    }

    @Test func tooLong() async throws {
        let engine = ScriptedLLMEngine(contextSize: 100, script: [[.text("Short enough.")]])
        let text = String(repeating: "long ", count: 100)
        await #expect(throws: LLMEngineError.contextBudgetExceeded(contextSize: 100, promptTokens: 167, reserve: 0)) {
            try await engine.generate(system: "", prompt: text) { _ in }
        }
        #expect(try await engine.generate(system: "", prompt: "short") { _ in } == "Short enough.")
    }

    @Test func stopButton() async throws {
        let engine = ScriptedLLMEngine(script: [
            [.thinking("A tale."), .text("Once"), .text(" upon"), .delay(.seconds(3600)), .text(" a time")]
        ])
        var shown = ""
        for try await event in engine.stream(LLMGenerationRequest(prompt: "Tell me a story.")) {
            guard case .contentDelta(.final, let text, _) = event else { continue }
            shown += text
            if shown == "Once upon" { break }
        }
        #expect(shown == "Once upon")
    }

    @Test func slowThinking() async throws {
        let clock = ManualClock()
        let engine = ScriptedLLMEngine(
            script: [[.thinking("One."), .delay(.seconds(60)), .thinking(" Two."), .text("Done.")]], clock: clock)
        let control = LLMGenerationControl()
        let answering = Task { try await engine.generatePhased(system: "", prompt: "Think.", control: control) }
        await clock.sleeping()
        control.requestThinkingTermination(message: " Enough.")
        clock.advance(by: .seconds(60))
        let result = try await answering.value
        #expect(result.thinkingText == "One. Enough.")
        #expect(result.finalText == "Done.")
    }

    @Test func failsHalfway() async throws {
        let failure = LLMEngineError.decodeFailed("out of memory")
        let engine = ScriptedLLMEngine(script: [[.text("The sky"), .fail(failure)]])
        await #expect(throws: failure) {
            try await Summarizer(engine: engine).summary(of: "A long text about the sky.")
        }
    }

    @Test func cutOff() async throws {
        let engine = ScriptedLLMEngine(script: [[.text("The"), .text(" sky"), .text(" is")]])
        let options = GenerationOptions(maxOutputTokens: 2)
        let result = try await engine.generatePhased(system: "", prompt: "Why?", options: options)
        #expect(result.finalText == "The sky")
        #expect(result.stopReason == .maxTokens)
    }

    @Test func usesTheTool() async throws {
        let weather = LLMTool(
            definition: LLMToolDefinition(
                name: "weather", description: "The weather in a city.",
                parameters: [
                    "type": "object", "properties": ["city": ["type": "string"]], "required": ["city"],
                ])
        ) { arguments in
            ["city": .string(arguments.string(forKey: "city") ?? ""), "sky": "clear"]
        }
        let engine = ScriptedLLMEngine(script: [
            [.text("Let me look. "), .toolCall(name: "weather", arguments: ["city": "Oslo"])],
            [.toolCall(name: "weather", arguments: ["town": "Oslo"])],
            [.text("The sky is clear.")],
        ])
        let result = try await engine.generateWithTools(
            LLMToolGenerationRequest(prompt: "How is the weather in Oslo?", tools: [weather]))
        #expect(result.finalText == "Let me look. The sky is clear.")
        #expect(result.toolOutputs.map(\.isError) == [false, true])
        #expect(result.roundsCompleted == 2)
        let roles = await engine.receivedRequests.map { $0.messages.map(\.role) }
        #expect(roles == [[.user], [.user, .assistant, .tool], [.user, .assistant, .tool, .assistant, .tool]])
    }

    @Test func structured() async throws {
        let engine = ScriptedLLMEngine(script: [[.text(#"{"name":"Oslo"}"#)], [.text(#"{"name":5}"#)]])
        #expect(try await engine.generate(as: City.self, prompt: "The capital of Norway?").name == "Oslo")
        await #expect(throws: LLMEngineError.self) {
            try await engine.generate(as: City.self, prompt: "The capital of Norway?")
        }
    }

    @Test("every Swift block of the guide is code of this file")
    func guide() throws {
        let file = URL(fileURLWithPath: #filePath)
        let root = (0..<5).reduce(file) { url, _ in url.deletingLastPathComponent() }
        let guide = try String(contentsOf: root.appending(path: "Documentation/testing.md"), encoding: .utf8)
        let source = Self.lines(of: try String(contentsOf: file, encoding: .utf8))
        let blocks = guide.components(separatedBy: "```swift\n").dropFirst()
        #expect(blocks.count > 5)
        for block in blocks {
            let code = Self.lines(of: block.components(separatedBy: "```").first ?? "")
            #expect(source.contains(code), "not in \(file.lastPathComponent):\n\(code)")
        }
    }

    /// The text without indentation, and with line ends around each line.
    private static func lines(of text: String) -> String {
        let lines = text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
        return "\n" + lines.filter { !$0.isEmpty }.joined(separator: "\n") + "\n"
    }
}
