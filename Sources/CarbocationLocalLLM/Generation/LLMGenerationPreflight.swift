/// Whether a request fits the loaded context, and how much output it leaves room for.
///
/// All sizes are in tokens. The derived values agree with what a generation of the identical request does.
public struct LLMGenerationPreflight: Sendable, Hashable {
    /// The context the model is loaded with.
    public let loadedContextSize: Int
    /// The context the model was trained with, 0 when unknown; not used for the budget.
    public let modelTrainingContextSize: Int
    /// The rendered prompt.
    public let promptTokens: Int
    /// What is kept free besides prompt and output.
    public let reservedOutputTokens: Int
    /// The limit of the request as it was passed; 0 and below count as not set.
    public let requestedMaxOutputTokens: Int?
    /// Whether the counts come from the model's tokenizer, rather than an estimate.
    public let usesExactTokenCounts: Bool
    /// Which chat template the prompt was rendered with.
    public let templateMode: LLMChatTemplateMode

    /// Creates a preflight; available, effective and possible output are derived.
    public init(
        loadedContextSize: Int,
        modelTrainingContextSize: Int = 0,
        promptTokens: Int,
        reservedOutputTokens: Int = 0,
        requestedMaxOutputTokens: Int? = nil,
        usesExactTokenCounts: Bool,
        templateMode: LLMChatTemplateMode = .unavailable
    ) {
        self.loadedContextSize = loadedContextSize
        self.modelTrainingContextSize = modelTrainingContextSize
        self.promptTokens = promptTokens
        self.reservedOutputTokens = reservedOutputTokens
        self.requestedMaxOutputTokens = requestedMaxOutputTokens
        self.usesExactTokenCounts = usesExactTokenCounts
        self.templateMode = templateMode
    }

    /// The room for output in the context.
    public var availableOutputTokens: Int {
        let taken = promptTokens.addingSaturated(reservedOutputTokens)
        return max(0, loadedContextSize.subtractingSaturated(taken))
    }

    /// The most tokens a generation of this request can give.
    public var effectiveMaxOutputTokens: Int {
        guard let requestedMaxOutputTokens, requestedMaxOutputTokens > 0 else { return availableOutputTokens }
        return min(requestedMaxOutputTokens, availableOutputTokens)
    }

    /// Whether the prompt fits and leaves room for at least one token.
    public var canGenerate: Bool {
        promptTokens < loadedContextSize && effectiveMaxOutputTokens > 0
    }

    /// Refuses what cannot generate, so that generation and preflight always agree.
    ///
    /// - Throws: ``LLMEngineError/contextBudgetExceeded(contextSize:promptTokens:reserve:)`` when the prompt alone
    ///   fills the context, ``LLMEngineError/insufficientGenerationBudget(contextSize:promptTokens:reserve:)`` when
    ///   it fits but no output token is left.
    package func requireBudget() throws {
        guard !canGenerate else { return }
        guard promptTokens < loadedContextSize else {
            throw LLMEngineError.contextBudgetExceeded(
                contextSize: loadedContextSize, promptTokens: promptTokens, reserve: reservedOutputTokens)
        }
        throw LLMEngineError.insufficientGenerationBudget(
            contextSize: loadedContextSize, promptTokens: promptTokens, reserve: reservedOutputTokens)
    }
}

// Only what the initialiser takes is encoded: derived values read from elsewhere could contradict it.
extension LLMGenerationPreflight: Codable {
    private enum CodingKeys: String, CodingKey {
        case loadedContextSize, modelTrainingContextSize, promptTokens, reservedOutputTokens
        case requestedMaxOutputTokens, usesExactTokenCounts, templateMode
    }

    /// Decodes a preflight; fields with a default may be missing.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            loadedContextSize: try container.decode(Int.self, forKey: .loadedContextSize),
            modelTrainingContextSize: try container.decode(forKey: .modelTrainingContextSize, default: 0),
            promptTokens: try container.decode(Int.self, forKey: .promptTokens),
            reservedOutputTokens: try container.decode(forKey: .reservedOutputTokens, default: 0),
            requestedMaxOutputTokens: try container.decodeIfPresent(Int.self, forKey: .requestedMaxOutputTokens),
            usesExactTokenCounts: try container.decode(Bool.self, forKey: .usesExactTokenCounts),
            templateMode: try container.decode(forKey: .templateMode, default: .unavailable)
        )
    }
}
