import CarbocationLocalLLM
import Testing

@testable import CLLMCommands

@Suite struct MessageFileTests {
    @Test("reads roles, contents, reasoning, calls and results")
    func conversation() throws {
        let text = """
            [{"role":"system","content":"Be brief."},
             {"role":"user","content":[{"type":"text","text":"one"},{"type":"text","text":"two"}],"name":"ada"},
             {"role":"assistant","content":null,"reasoning_content":"hm","refusal":null,"tool_calls":[
               {"id":"c1","type":"function","function":{"name":"add","arguments":"{\\"b\\":2,\\"a\\":1.0}"}},
               {"id":"c2","type":"function","function":{"name":"sub","arguments":{"x":3}}},
               {"id":"c3","type":"function","function":{"name":"now"}}]},
             {"role":"tool","tool_call_id":"c1","name":"add","content":"3"},
             {"role":"assistant"}]
            """
        let messages = try MessageFile.messages(in: text, named: "'m'")
        #expect(
            messages == [
                LLMChatMessage(role: .system, content: "Be brief."),
                LLMChatMessage(role: .user, content: "one\ntwo", toolName: "ada"),
                LLMChatMessage(
                    role: .assistant, content: "", reasoningContent: "hm",
                    toolCalls: [
                        LLMToolCall(executionID: "c1", rawID: "c1", name: "add", arguments: ["b": 2, "a": 1.0]),
                        LLMToolCall(executionID: "c2", rawID: "c2", name: "sub", arguments: ["x": 3]),
                        LLMToolCall(executionID: "c3", rawID: "c3", name: "now", arguments: [:]),
                    ]),
                LLMChatMessage(role: .tool, content: "3", toolCallID: "c1", toolName: "add"),
                LLMChatMessage(role: .assistant, content: ""),
            ])
        #expect(messages[2].toolCalls.first?.arguments.objectValue?.keys == ["b", "a"])
    }

    @Test("an empty array is no messages")
    func empty() throws {
        #expect(try MessageFile.messages(in: "[]", named: "'m'").isEmpty)
    }

    private static let mistakes: [(text: String, message: String)] = [
        (#"{"role":"user"}"#, "'m' must hold a JSON array of objects."),
        (#"[1]"#, "'m': element 1 of the array is not an object."),
        (#"[{"content":"x"}]"#, "'m': message 1 has no role."),
        (
            #"[{"role":"user"},{"role":"bot"}]"#,
            "'m': message 2 has the role 'bot', which is not one of system, user, assistant, tool."
        ),
        (#"[{"role":7}]"#, "'m': message 1 has a value for role that is not text."),
        (
            #"[{"role":"user","content":7}]"#,
            "'m': message 1 has a content that is neither text nor an array of text parts."
        ),
        (
            #"[{"role":"user","content":[{"type":"image_url"}]}]"#,
            "'m': message 1 has a content part that is not of the type 'text'; only text is supported."
        ),
        (
            #"[{"role":"assistant","tool_calls":{}}]"#,
            "'m': message 1 has tool_calls that are not an array."
        ),
        (
            #"[{"role":"assistant","tool_calls":[{"id":"a"}]}]"#,
            "'m': message 1 has a tool call without a function name."
        ),
        (
            #"[{"role":"assistant","tool_calls":[{"function":{"name":"f"}}]}]"#,
            "'m': message 1 has a tool call without an id."
        ),
        (
            #"[{"role":"assistant","tool_calls":[{"id":"a","function":{"name":"f","arguments":"{"}}]}]"#,
            "'m': message 1 calls f with arguments that are not a JSON object."
        ),
        (
            #"[{"role":"assistant","tool_calls":[{"id":"a","function":{"name":"f","arguments":[1]}}]}]"#,
            "'m': message 1 calls f with arguments that are not a JSON object."
        ),
    ]

    @Test("says which message is wrong", arguments: mistakes)
    func refusal(text: String, message: String) {
        let error = #expect(throws: CommandFailure.self) { try MessageFile.messages(in: text, named: "'m'") }
        #expect(error?.message == message)
    }

    @Test("says where JSON breaks off", arguments: ["", "[", "[{]", "nonsense"])
    func brokenJSON(text: String) {
        let error = #expect(throws: CommandFailure.self) { try MessageFile.messages(in: text, named: "'m'") }
        #expect(error?.message.hasPrefix("'m' is not JSON: ") == true)
        #expect(error?.message.contains("byte") == true)
    }
}
