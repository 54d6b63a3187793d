import CarbocationLocalLLM
import FoundationModels
import Testing

@testable import AppleIntelligenceWithStubs

@Suite("Tools with free-form arguments", .timeLimit(.minutes(10)))
struct FreeFormToolTests {
    private let engine = AppleIntelligenceEngine.quiet

    private let tool = LLMTool(
        definition: LLMToolDefinition(
            name: "store", description: "Stores values.",
            parameters: ["type": "object", "additionalProperties": ["type": "integer"]])
    ) { $0 }

    private static func call(_ text: String) -> StubScript.Step {
        let arguments: LLMJSONValue = ["arguments": .string(text)]
        return .calls([StubScript.Call("store", arguments.jsonString())])
    }

    @Test("AI-6, TL-9: the text is decoded, checked, and the tool gets the object")
    func arguments() async throws {
        let script = StubScript([
            [
                Self.call(#"{"a":1,"b":2}"#), Self.call(""), Self.call(#"{"a":"x"}"#), Self.call("no JSON"),
                .snapshot("Stored."),
            ]
        ])
        let result = try await script.run {
            try await engine.generateWithToolsPhased(LLMToolGenerationRequest(prompt: "Go", tools: [tool]))
        }
        #expect(result.toolCalls.map(\.arguments).prefix(3) == [["a": 1, "b": 2], [:], ["a": "x"]])
        #expect(result.toolOutputs.map(\.isError) == [false, false, true, true])
        #expect(result.toolOutputs.first?.content == ["a": 1, "b": 2])
        #expect(script.requests.first?.transcript == ["instructions:  <store store{arguments:String}>"])
    }

    @Test("AI-6: earlier calls are shown as the model wrote them")
    func history() async throws {
        let messages = [
            LLMChatMessage(role: .user, content: "Store."),
            LLMChatMessage(
                role: .assistant, content: "",
                toolCalls: [LLMToolCall(executionID: "call_1", name: "store", arguments: ["a": 1])]),
            LLMChatMessage(role: .tool, content: "ok", toolCallID: "call_1"),
            LLMChatMessage(role: .user, content: "Again."),
        ]
        let script = StubScript.answers("Done.")
        _ = try await script.run {
            try await engine.generateWithTools(LLMToolGenerationRequest(messages: messages, tools: [tool]))
        }
        let line = #"calls: call_1 store {"arguments":"{\"a\":1}"}"#
        #expect(script.requests.first?.transcript.contains(line) == true)
    }
}
