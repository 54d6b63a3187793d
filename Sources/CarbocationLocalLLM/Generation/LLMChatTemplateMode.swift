/// Which chat template a prompt is rendered with.
public enum LLMChatTemplateMode: String, Codable, Sendable, Hashable {
    /// The one inside the model file.
    case embedded
    /// Gemma's, because the model file has none and its vocabulary has Gemma's turn markers.
    case gemmaFallback = "gemma-fallback"
    /// ChatML, because the model file has none and its vocabulary has ChatML's turn markers.
    case chatMLFallback = "chatml-fallback"
    /// None is known, or the provider renders prompts itself.
    case unavailable

    /// The mode in words, for display.
    public var displayLabel: String {
        switch self {
        case .embedded: "embedded"
        case .gemmaFallback: "Gemma fallback"
        case .chatMLFallback: "ChatML fallback"
        case .unavailable: "unavailable"
        }
    }
}
