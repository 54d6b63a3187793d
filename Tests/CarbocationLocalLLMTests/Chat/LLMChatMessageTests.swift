import CarbocationLocalLLM
import Foundation
import Testing

@Suite("LLMChatMessage")
struct LLMChatMessageTests {
    @Test(
        "a tool's output becomes a tool message",
        arguments: [
            ("sunny", "sunny"),
            (["b": 1, "a": [true, nil]], #"{"b":1,"a":[true,null]}"#),
            (5, "5"),
            (nil, "null"),
        ] as [(LLMJSONValue, String)])
    func tool(content: LLMJSONValue, expected: String) {
        let message = LLMChatMessage.tool(LLMToolOutput(callID: "call_1", name: "weather", content: content))
        #expect(
            message == LLMChatMessage(role: .tool, content: expected, toolCallID: "call_1", toolName: "weather"))
    }

    @Test("round trip, with only the fields that are set")
    func codable() throws {
        let plain = LLMChatMessage(role: .user, content: "Hi")
        let data = try JSONEncoder().encode(plain)
        #expect(try LLMJSONValue(jsonData: data) == ["role": "user", "content": "Hi"])
        let full = LLMChatMessage(
            role: .assistant, content: "", reasoningContent: "plan",
            toolCalls: [LLMToolCall(executionID: "call_1", name: "add", arguments: ["a": 1])], toolCallID: "x",
            toolName: "y")
        let decoded = try JSONDecoder().decode(LLMChatMessage.self, from: JSONEncoder().encode(full))
        #expect(decoded == full)
    }

    @Test(
        "MS-4: missing and null content is empty",
        arguments: [#"{"role":"assistant"}"#, #"{"role":"assistant","content":null,"toolCalls":null}"#])
    func missingContent(json: String) throws {
        let message = try JSONDecoder().decode(LLMChatMessage.self, from: Data(json.utf8))
        #expect(message == LLMChatMessage(role: .assistant, content: ""))
    }

    @Test("an unknown role is a decoding error")
    func unknownRole() {
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(LLMChatMessage.self, from: Data(#"{"role":"boss","content":""}"#.utf8))
        }
    }
}
