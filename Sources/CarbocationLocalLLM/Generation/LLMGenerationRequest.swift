/// A conversation to continue, and how.
public struct LLMGenerationRequest: Sendable {
    /// The conversation, oldest message first; the last one is what the model answers.
    public var messages: [LLMChatMessage]
    /// How to generate.
    public var options: GenerationOptions
    /// A handle to end the thinking of the running generation.
    public var control: LLMGenerationControl?

    /// Creates a request from a conversation.
    public init(
        messages: [LLMChatMessage],
        options: GenerationOptions = GenerationOptions(),
        control: LLMGenerationControl? = nil
    ) {
        self.messages = messages
        self.options = options
        self.control = control
    }

    /// Creates a request from one user message, after a system message unless `system` is blank.
    public init(
        system: String = "",
        prompt: String,
        options: GenerationOptions = GenerationOptions(),
        control: LLMGenerationControl? = nil
    ) {
        var messages = [LLMChatMessage(role: .user, content: prompt)]
        if !system.allSatisfy(\.isWhitespace) {
            messages.insert(LLMChatMessage(role: .system, content: system), at: 0)
        }
        self.init(messages: messages, options: options, control: control)
    }
}
