import CarbocationLocalLLM

/// Where drafts come from.
enum SpeculationMethod: String, Hashable, Sendable {
    /// Layers of the model itself that predict further tokens.
    case mtp
    /// A smaller model with the same vocabulary.
    case draft
    /// Earlier occurrences of the last tokens.
    case ngram

    /// Most tokens of one draft, whatever is configured.
    static let mostDraftTokens = 32

    /// The method that a configuration asks for with a model.
    init(_ configuration: LlamaEngineConfiguration, hasPredictionLayers: Bool) {
        self = hasPredictionLayers ? .mtp : configuration.draftModelURL == nil ? .ngram : .draft
    }

    /// Most tokens of one draft.
    func draftLimit(in configuration: LlamaEngineConfiguration) -> Int {
        let configured =
            switch self {
            case .mtp: configuration.mtpMaxDraftTokens
            case .draft: configuration.draftModelMaxTokens
            case .ngram: configuration.ngramMaxDraftTokens
            }
        return min(max(1, configured), Self.mostDraftTokens)
    }
}
