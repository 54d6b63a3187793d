public import CarbocationLocalLLM

/// What a model can do, as far as that is known without loading it.
public struct LocalLLMModelCapabilities: Sendable, Hashable {
    /// Whether answers can be held to a GBNF grammar.
    public var supportsGrammar: Bool
    /// Whether tokens are counted and not estimated.
    public var usesExactTokenCounts: Bool
    /// The context in tokens that the model was trained for, or that its provider offers; 0 when it is not known.
    public var contextSize: Int
    /// Whether the model brings layers to predict several tokens at once.
    public var supportsMTPAcceleration: Bool
    /// Whether requests may offer tools.
    public var supportsTools: Bool
    /// What requests can say about thinking.
    public var thinkingCapabilities: LLMThinkingCapabilities

    /// Creates a description.
    public init(
        supportsGrammar: Bool, usesExactTokenCounts: Bool, contextSize: Int, supportsMTPAcceleration: Bool = false,
        supportsTools: Bool = true, thinkingCapabilities: LLMThinkingCapabilities = .none
    ) {
        self.supportsGrammar = supportsGrammar
        self.usesExactTokenCounts = usesExactTokenCounts
        self.contextSize = contextSize
        self.supportsMTPAcceleration = supportsMTPAcceleration
        self.supportsTools = supportsTools
        self.thinkingCapabilities = thinkingCapabilities
    }
}

extension LocalLLMModelCapabilities {
    /// What every GGUF model can do, with what the header of its file says.
    init(ofInstalled model: InstalledModel?, metadata: GGUFModelMetadata?) {
        self.init(
            supportsGrammar: true, usesExactTokenCounts: true, contextSize: model?.contextLength ?? 0,
            supportsMTPAcceleration: metadata?.supportsMTPAcceleration ?? false,
            thinkingCapabilities: metadata?.thinkingCapabilities ?? .none)
    }

    /// What a model of the system can do; without an option, because it is not available, its context is 0.
    init(ofSystemModel option: LLMSystemModelOption?) {
        self.init(supportsGrammar: false, usesExactTokenCounts: false, contextSize: option?.contextLength ?? 0)
    }
}
