import CarbocationLocalLLM
import Testing

@Suite("LLMChatMessage, conversations")
struct LLMChatMessageConversationTests {
    private static let user = LLMChatMessage(role: .user, content: "Hi")
    private static let call = LLMChatMessage(
        role: .assistant, content: "",
        toolCalls: [LLMToolCall(executionID: "call_1", rawID: "raw", name: "add", arguments: [:])])
    private static let answer = LLMChatMessage(role: .tool, content: "3", toolCallID: "call_1", toolName: "add")

    private static let reply = LLMChatMessage(role: .assistant, content: "Hello")
    private static let scattered = [system("a"), user, system("b"), system("c"), user]

    private static func system(_ text: String) -> LLMChatMessage {
        LLMChatMessage(role: .system, content: text)
    }

    private static func tool(_ id: String?) -> LLMChatMessage {
        LLMChatMessage(role: .tool, content: "3", toolCallID: id)
    }

    @Test(
        "MS-2: leading system messages become one, everything else keeps its place",
        arguments: [
            ([user], [user]),
            ([system("a"), user], [system("a"), user]),
            ([system("a"), system("b"), user], [system("a\n\nb"), user]),
            ([system("a"), system(""), system("b\n"), user], [system("a\n\nb\n"), user]),
            ([system(""), user], [system(""), user]),
            ([system("a"), user, system("b"), system("c"), user], scattered),
            ([user, user], [user, user]),
            ([user, call, answer], [user, call, answer]),
        ])
    func normalisation(messages: [LLMChatMessage], expected: [LLMChatMessage]) throws {
        #expect(try LLMChatMessage.normalizedConversation(messages) == expected)
    }

    @Test("MS-4: empty reasoning is none, other reasoning and content are kept apart")
    func reasoning() throws {
        let empty = LLMChatMessage(role: .assistant, content: "4", reasoningContent: "")
        let full = LLMChatMessage(role: .assistant, content: "4", reasoningContent: " plan ")
        let result = try LLMChatMessage.normalizedConversation([Self.user, empty, full, Self.user])
        #expect(result[1] == LLMChatMessage(role: .assistant, content: "4"))
        #expect(result[2] == full)
    }

    @Test(
        "MS-3: what is refused, and the problem that is named",
        arguments: [
            ([], "has no messages"),
            ([system("a")], "no user or tool message"),
            ([call], "no user or tool message"),
            ([system("a"), LLMChatMessage(role: .assistant, content: "b")], "no user or tool message"),
            ([user, tool(nil)], "message 2, a tool message, has no toolCallID"),
            ([user, call, tool("")], "message 3, a tool message, has no toolCallID"),
            ([user, call, tool("call_2")], "answers the call call_2"),
            ([user, call, tool("raw")], "answers the call raw"),
            ([user, answer, call, user], "message 2, a tool message, answers the call call_1"),
            ([user, reply, answer, call, user], "message 3, a tool message, answers the call call_1"),
            ([user, LLMChatMessage(role: .assistant, content: "4")], "role assistant"),
            ([user, system("a")], "role system"),
        ])
    func refused(messages: [LLMChatMessage], problem: String) {
        let error = #expect(throws: LLMEngineError.self) { try LLMChatMessage.normalizedConversation(messages) }
        guard case .invalidRequest(let text) = error else {
            Issue.record("\(String(describing: error)) is no invalidRequest")
            return
        }
        #expect(text.contains(problem))
    }

    @Test("MS-3: a call may be answered later, and a tool message may be the only one besides its call")
    func accepted() throws {
        _ = try LLMChatMessage.normalizedConversation([Self.call, Self.answer])
        _ = try LLMChatMessage.normalizedConversation([Self.user, Self.call, Self.user, Self.answer])
    }
}
