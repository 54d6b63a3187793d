import CarbocationLlamaRuntime
public import CarbocationLocalLLM

/// What is known about a loaded model.
public struct LocalLLMLoadedModelInfo: Sendable, Hashable {
    /// What was loaded.
    public var selection: LLMModelSelection
    /// The name to show.
    public var displayName: String
    /// Tokens of the loaded context.
    public var contextSize: Int
    /// Tokens that the model was trained on; 0 when that is not known.
    public var trainingContextSize: Int
    /// Whether answers can be held to a GBNF grammar.
    public var supportsGrammar: Bool
    /// Whether tokens are counted and not estimated.
    public var usesExactTokenCounts: Bool
    /// Whether the model brings layers to predict several tokens at once.
    public var supportsMTPAcceleration: Bool
    /// What requests can say about thinking.
    public var thinkingCapabilities: LLMThinkingCapabilities

    /// Creates a description.
    public init(
        selection: LLMModelSelection, displayName: String, contextSize: Int, trainingContextSize: Int,
        supportsGrammar: Bool, usesExactTokenCounts: Bool, supportsMTPAcceleration: Bool = false,
        thinkingCapabilities: LLMThinkingCapabilities = .none
    ) {
        self.selection = selection
        self.displayName = displayName
        self.contextSize = contextSize
        self.trainingContextSize = trainingContextSize
        self.supportsGrammar = supportsGrammar
        self.usesExactTokenCounts = usesExactTokenCounts
        self.supportsMTPAcceleration = supportsMTPAcceleration
        self.thinkingCapabilities = thinkingCapabilities
    }
}

extension LocalLLMLoadedModelInfo {
    /// Describes an installed model that llama.cpp loaded.
    init(_ info: LlamaLoadedModelInfo, of model: InstalledModel) {
        self.init(
            selection: .installed(model.id), displayName: model.displayName, contextSize: info.contextSize,
            trainingContextSize: info.trainingContextSize, supportsGrammar: true, usesExactTokenCounts: true,
            supportsMTPAcceleration: info.supportsMTPAcceleration, thinkingCapabilities: info.thinkingCapabilities)
    }

    /// Describes a model of the system.
    init(_ option: LLMSystemModelOption) {
        self.init(
            selection: option.selection, displayName: option.displayName, contextSize: option.contextLength,
            trainingContextSize: 0, supportsGrammar: false, usesExactTokenCounts: false)
    }
}
