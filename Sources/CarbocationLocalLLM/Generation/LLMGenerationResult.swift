/// What a generation gave, complete.
public struct LLMGenerationResult: Sendable, Hashable {
    /// The thinking, without markers.
    public var thinkingText: String
    /// The answer.
    public var finalText: String
    /// Thinking and answer in the order they came, without markers.
    public var phaseSegments: [LLMGenerationPhaseSegment]
    /// Why the generation ended.
    public var stopReason: LLMStopReason
    /// The prompt's tokens, those taken from the cache included.
    public var promptTokens: Int
    /// How many of the prompt's tokens were taken from the cache.
    public var cachedPromptTokens: Int
    /// Sampled and forced tokens, without the one that ended the turn.
    public var generatedTokens: Int
    /// Which chat template the prompt was rendered with.
    public var templateMode: LLMChatTemplateMode
    /// The seed that was really used; nil for greedy decoding and for providers that do not tell.
    public var seed: UInt32?
    /// Probabilities per generated content token; nil when not requested or not available.
    public var logprobs: [LLMTokenLogprobs]?
    /// What speculation did; nil for engines without any.
    public var accelerationStats: LLMGenerationAccelerationStats?
    /// Everything the model wrote, markers included, for looking into faults.
    public var rawGeneratedText: String?

    /// Creates a result.
    public init(
        thinkingText: String = "",
        finalText: String = "",
        phaseSegments: [LLMGenerationPhaseSegment] = [],
        stopReason: LLMStopReason = "complete",
        promptTokens: Int = 0,
        cachedPromptTokens: Int = 0,
        generatedTokens: Int = 0,
        templateMode: LLMChatTemplateMode = .unavailable,
        seed: UInt32? = nil,
        logprobs: [LLMTokenLogprobs]? = nil,
        accelerationStats: LLMGenerationAccelerationStats? = nil,
        rawGeneratedText: String? = nil
    ) {
        self.thinkingText = thinkingText
        self.finalText = finalText
        self.phaseSegments = phaseSegments
        self.stopReason = stopReason
        self.promptTokens = promptTokens
        self.cachedPromptTokens = cachedPromptTokens
        self.generatedTokens = generatedTokens
        self.templateMode = templateMode
        self.seed = seed
        self.logprobs = logprobs
        self.accelerationStats = accelerationStats
        self.rawGeneratedText = rawGeneratedText
    }

    /// The answer as a message for the next request, with the thinking as its reasoning.
    public var assistantMessage: LLMChatMessage {
        LLMChatMessage(
            role: .assistant,
            content: finalText,
            reasoningContent: thinkingText.isEmpty ? nil : thinkingText
        )
    }
}

extension LLMGenerationResult: Codable {
    private enum CodingKeys: String, CodingKey {
        case thinkingText, finalText, phaseSegments, stopReason, promptTokens, cachedPromptTokens, generatedTokens
        case templateMode, seed, logprobs, accelerationStats, rawGeneratedText
    }

    /// Decodes a result; missing fields take their defaults.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            thinkingText: try container.decode(forKey: .thinkingText, default: ""),
            finalText: try container.decode(forKey: .finalText, default: ""),
            phaseSegments: try container.decode(forKey: .phaseSegments, default: []),
            stopReason: try container.decode(forKey: .stopReason, default: .complete),
            promptTokens: try container.decode(forKey: .promptTokens, default: 0),
            cachedPromptTokens: try container.decode(forKey: .cachedPromptTokens, default: 0),
            generatedTokens: try container.decode(forKey: .generatedTokens, default: 0),
            templateMode: try container.decode(forKey: .templateMode, default: .unavailable),
            seed: try container.decodeIfPresent(UInt32.self, forKey: .seed),
            logprobs: try container.decodeIfPresent([LLMTokenLogprobs].self, forKey: .logprobs),
            accelerationStats: try container.decodeIfPresent(
                LLMGenerationAccelerationStats.self, forKey: .accelerationStats),
            rawGeneratedText: try container.decodeIfPresent(String.self, forKey: .rawGeneratedText)
        )
    }
}
