import CarbocationLocalLLM
import Testing

/// The engine of these tests answers with the text of the last message.
@Suite("LLMEngine, structured", .timeLimit(.minutes(10)))
struct LLMEngineStructuredTests {
    struct Recipe: LLMStructured, Equatable {
        var title: String
        var minutes: Int

        static let jsonSchema: LLMJSONValue = [
            "type": "object",
            "properties": ["title": ["type": "string"], "minutes": ["type": "integer", "minimum": 1]],
            "required": ["title", "minutes"],
        ]
    }

    private static let json = "{\"title\":\"Soup\",\"minutes\":20}"
    private static let soup = Recipe(title: "Soup", minutes: 20)

    @Test("ST-4, EV-1: both forms set the schema and decode the final text")
    func forms() async throws {
        let engine = StubEngine()
        let options = GenerationOptions(maxOutputTokens: 9, enableThinking: true)
        let messages = [LLMChatMessage(role: .user, content: Self.json)]
        #expect(try await engine.generate(as: Recipe.self, prompt: Self.json) == Self.soup)
        #expect(
            try await engine.generate(as: Recipe.self, system: "S", prompt: Self.json, options: options) == Self.soup)
        #expect(try await engine.generate(as: Recipe.self, messages: messages, options: options) == Self.soup)
        let requests = engine.requests.withLock { $0 }
        #expect(requests.map(\.options.jsonSchema) == Array(repeating: Recipe.jsonSchema, count: 3))
        #expect(requests.map(\.options.enableThinking) == [false, true, true])
        #expect(requests.map(\.options.maxOutputTokens) == [nil, 9, 9])
        #expect(requests.map(\.messages.count) == [1, 2, 1])
    }

    @Test("ST-4: the type's schema replaces the one of the options")
    func schema() async throws {
        let engine = StubEngine()
        let options = GenerationOptions(jsonSchema: ["type": "null"])
        _ = try await engine.generate(as: Recipe.self, prompt: Self.json, options: options)
        #expect(engine.requests.withLock { $0.first?.options.jsonSchema } == Recipe.jsonSchema)
    }

    @Test(
        "ST-4: an answer that does not decode is invalid", arguments: ["", "soup", "{\"title\":\"Soup\",\"minutes\":2"])
    func invalid(answer: String) async {
        let error = await #expect(throws: LLMEngineError.self) {
            _ = try await StubEngine().generate(as: Recipe.self, prompt: answer)
        }
        guard case .structuredOutputInvalid = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }
}
