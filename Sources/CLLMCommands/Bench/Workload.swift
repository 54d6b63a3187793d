import CarbocationLocalLLM

/// Conversations that are held at the same time, to measure an engine under load.
struct Workload: Sendable, Hashable {
    /// One request; the replies before it are part of the conversation.
    struct Turn: Sendable, Hashable {
        var prompt: String
        var maximumTokens: Int
        /// What the reply has to be, if that is restricted.
        var jsonSchema: LLMJSONValue?
    }

    struct Conversation: Sendable, Hashable {
        var system: String
        var turns: [Turn]
    }

    /// Tokens of context for all conversations together.
    var context: Int
    /// Conversations that the engine serves at the same time.
    var slots: Int
    /// All of them begin at once.
    var conversations: [Conversation]
}
