import CarbocationLocalLLM

/// All that a session is, apart from the model.
struct SessionSnapshot: Sendable {
    var model: SessionModel
    /// How the KV cache was made.
    var cacheIdentity: CacheIdentity
    /// The system text, also when it is blank.
    var system: String
    var transcript: [LLMChatMessage]
    /// The tokens of the last prompt and its reply.
    var ledger: [Token]
    /// What the KV cache held, if it could be saved.
    var state: SequenceState?
}
