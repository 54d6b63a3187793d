import CarbocationLocalLLM
import Testing

@testable import CarbocationLlamaRuntime

@Suite("PlainToolPrompt")
struct PlainToolPromptTests {
    private static let add = LLMToolDefinition(name: "add", description: "Adds.")

    @Test("TF-1: the system text lists the tools, behind what it says already", arguments: ["", "Be brief."])
    func system(text: String) throws {
        let user = LLMChatMessage(role: .user, content: "Hi")
        let given = text.isEmpty ? [user] : [LLMChatMessage(role: .system, content: text), user]
        let messages = PlainToolPrompt.messages(given, offer: try ToolOffer([Self.add], choice: .auto))
        #expect(messages.map(\.role) == [.system, .user])
        let system = messages[0].content
        #expect(system.hasPrefix(text.isEmpty ? "You can call tools." : "Be brief.\n\nYou can call tools."))
        let line = #"{"name":"add","description":"Adds.","parameters":{"type":"object","properties":{}}}"#
        #expect(system.contains("\n" + line + "\n"))
        #expect(system.contains(#"{"tool_calls":[{"name":"NAME","arguments":{}}]}"#))
    }

    @Test("calls become text, and all outputs behind them one message")
    func history() {
        let calls = ["call_1", "call_2"].map { LLMToolCall(executionID: $0, name: "add", arguments: ["a": 1]) }
        let outputs = calls.map { LLMChatMessage.tool(LLMToolOutput(callID: $0.id, name: "add", content: ["sum": 2])) }
        let messages = PlainToolPrompt.messages(
            [
                LLMChatMessage(role: .user, content: "Go"),
                LLMChatMessage(role: .assistant, content: "Sure.", toolCalls: calls),
            ] + outputs + [LLMChatMessage(role: .user, content: "And?")], offer: nil)
        #expect(messages.map(\.role) == [.user, .assistant, .user])
        let call = #"{"tool_calls":[{"name":"add","arguments":{"a":1}},{"name":"add","arguments":{"a":1}}]}"#
        #expect(messages[1].content == "Sure.\n" + call)
        #expect(messages[1].toolCalls.isEmpty)
        let output = #"{"tool_outputs":[{"name":"add","output":{"sum":2}},{"name":"add","output":{"sum":2}}]}"#
        #expect(messages[2].content == output + "\n\nAnd?")
    }

    @Test("a required call leaves no other way")
    func required() throws {
        let user = LLMChatMessage(role: .user, content: "Hi")
        let messages = PlainToolPrompt.messages([user], offer: try ToolOffer([Self.add], choice: .required))
        #expect(!messages[0].content.contains("plain text"))
    }
}
