extension LLMChatMessage {
    /// Checks a conversation and gives it the shape that templates are rendered with.
    ///
    /// Leading system messages become one, joined with a blank line, and empty reasoning becomes none. All other
    /// messages keep their order and role.
    ///
    /// - Parameter messages: The conversation as the caller gave it.
    /// - Returns: The conversation to render.
    /// - Throws: ``LLMEngineError/invalidRequest(_:)`` naming the first problem.
    package static func normalizedConversation(_ messages: [LLMChatMessage]) throws -> [LLMChatMessage] {
        try validateConversation(messages)
        let leading = messages.prefix { $0.role == .system }
        var result: [LLMChatMessage] = []
        if var system = leading.first {
            system.content = leading.map(\.content).filter { !$0.isEmpty }.joined(separator: "\n\n")
            result.append(system)
        }
        result += messages.dropFirst(leading.count)
        for index in result.indices where result[index].reasoningContent?.isEmpty == true {
            result[index].reasoningContent = nil
        }
        return result
    }

    private static func validateConversation(_ messages: [LLMChatMessage]) throws {
        guard let last = messages.last else {
            throw LLMEngineError.invalidRequest("the conversation has no messages")
        }
        guard messages.contains(where: { $0.role == .user || $0.role == .tool }) else {
            throw LLMEngineError.invalidRequest("the conversation has no user or tool message")
        }
        try validateToolMessages(messages)
        guard last.role == .user || last.role == .tool else {
            throw LLMEngineError.invalidRequest(
                "the last message has the role \(last.role.rawValue), it must be a user or tool message")
        }
    }

    private static func validateToolMessages(_ messages: [LLMChatMessage]) throws {
        var callIDs: Set<String> = []
        for (index, message) in messages.enumerated() {
            switch message.role {
            case .assistant:
                callIDs.formUnion(message.toolCalls.map(\.id))
            case .tool:
                guard let id = message.toolCallID, !id.isEmpty else {
                    throw LLMEngineError.invalidRequest("message \(index + 1), a tool message, has no toolCallID")
                }
                guard callIDs.contains(id) else {
                    throw LLMEngineError.invalidRequest(
                        "message \(index + 1), a tool message, answers the call \(id) that no earlier message made")
                }
            case .system, .user:
                break
            }
        }
    }
}
