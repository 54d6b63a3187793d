public import CarbocationLocalLLM

/// What a stored selection stands for now, and with how much context to load it.
public struct LocalLLMLoadPlan: Sendable, Hashable {
    /// What to load.
    public var selection: LLMModelSelection
    /// The name to show.
    public var displayName: String
    /// Tokens of context to ask ``LocalLLMEngine/load(selection:from:requestedContext:)`` for.
    public var requestedContext: Int
    /// What the model can do.
    public var capabilities: LocalLLMModelCapabilities

    /// Creates a plan.
    public init(
        selection: LLMModelSelection, displayName: String, requestedContext: Int,
        capabilities: LocalLLMModelCapabilities
    ) {
        self.selection = selection
        self.displayName = displayName
        self.requestedContext = requestedContext
        self.capabilities = capabilities
    }
}
