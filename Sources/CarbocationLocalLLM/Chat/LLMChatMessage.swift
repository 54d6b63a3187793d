/// One message of a conversation.
public struct LLMChatMessage: Sendable, Hashable {
    /// Who speaks.
    public var role: LLMChatRole
    /// What is said, without thinking.
    public var content: String
    /// The model's thinking before it; assistant messages only.
    public var reasoningContent: String?
    /// The tools the model called; assistant messages only.
    public var toolCalls: [LLMToolCall]
    /// The call that is answered; required in tool messages.
    public var toolCallID: String?
    /// The tool that answers; tool messages only.
    public var toolName: String?

    /// Creates a message.
    public init(
        role: LLMChatRole,
        content: String,
        reasoningContent: String? = nil,
        toolCalls: [LLMToolCall] = [],
        toolCallID: String? = nil,
        toolName: String? = nil
    ) {
        self.role = role
        self.content = content
        self.reasoningContent = reasoningContent
        self.toolCalls = toolCalls
        self.toolCallID = toolCallID
        self.toolName = toolName
    }

    /// The message that hands a tool's output to the model, as compact JSON; a bare string stays plain text.
    public static func tool(_ output: LLMToolOutput) -> LLMChatMessage {
        let content =
            if case .string(let text) = output.content { text } else { output.content.jsonString() }
        return LLMChatMessage(role: .tool, content: content, toolCallID: output.callID, toolName: output.name)
    }
}

extension LLMChatMessage: Codable {
    private enum CodingKeys: String, CodingKey {
        case role, content, reasoningContent, toolCalls, toolCallID, toolName
    }

    /// Decodes a message; only the role is required, content that is missing or null is empty.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            role: try container.decode(LLMChatRole.self, forKey: .role),
            content: try container.decode(forKey: .content, default: ""),
            reasoningContent: try container.decodeIfPresent(String.self, forKey: .reasoningContent),
            toolCalls: try container.decode(forKey: .toolCalls, default: []),
            toolCallID: try container.decodeIfPresent(String.self, forKey: .toolCallID),
            toolName: try container.decodeIfPresent(String.self, forKey: .toolName)
        )
    }

    /// Encodes role, content and the other fields that are set.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(role, forKey: .role)
        try container.encode(content, forKey: .content)
        try container.encodeIfPresent(reasoningContent, forKey: .reasoningContent)
        try container.encode(toolCalls, forKey: .toolCalls, unless: [])
        try container.encodeIfPresent(toolCallID, forKey: .toolCallID)
        try container.encodeIfPresent(toolName, forKey: .toolName)
    }
}
