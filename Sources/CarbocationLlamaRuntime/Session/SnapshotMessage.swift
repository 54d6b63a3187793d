import CarbocationLocalLLM

/// A message as snapshots hold it: nothing that a template may render is lost, not even the order of keys.
struct SnapshotMessage: Codable, Hashable {
    struct Call: Codable, Hashable {
        var executionID: String
        var rawID: String?
        var name: String
        /// JSON text, because Swift's encoders know neither the order of keys nor the kinds of numbers.
        var arguments: String
        var triggerPhase: LLMStreamContentPhase?
    }

    var role: LLMChatRole
    var content: String
    var reasoning: String?
    var calls: [Call]?
    var callID: String?
    var toolName: String?

    init(_ message: LLMChatMessage) {
        role = message.role
        content = message.content
        reasoning = message.reasoningContent
        calls = message.toolCalls.isEmpty ? nil : message.toolCalls.map(Call.init)
        callID = message.toolCallID
        toolName = message.toolName
    }

    /// The message; throws when the text of a call's arguments is no JSON.
    func message() throws -> LLMChatMessage {
        LLMChatMessage(
            role: role, content: content, reasoningContent: reasoning,
            toolCalls: try (calls ?? []).map { try $0.call() },
            toolCallID: callID, toolName: toolName)
    }
}

extension SnapshotMessage.Call {
    init(_ call: LLMToolCall) {
        executionID = call.executionID
        rawID = call.rawID
        name = call.name
        arguments = call.arguments.jsonString()
        triggerPhase = call.triggerPhase
    }

    func call() throws -> LLMToolCall {
        LLMToolCall(
            executionID: executionID, rawID: rawID, name: name, arguments: try LLMJSONValue(jsonString: arguments),
            triggerPhase: triggerPhase)
    }
}
