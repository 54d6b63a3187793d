/// What a model's chat template lets a request say about thinking.
public struct LLMThinkingCapabilities: Sendable, Hashable {
    /// Whether thinking can be switched on and off.
    public var supportsThinking: Bool
    /// Whether a level of effort can be given.
    public var supportsReasoningEffort: Bool
    /// Whether the thinking of earlier turns can be kept in the prompt.
    public var supportsPreserveThinking: Bool
    /// What the template does with earlier thinking when nothing is said; nil when unknown.
    public var defaultPreserveThinking: Bool?
    /// The levels the template knows, from little to much; nil when it names none.
    public var supportedReasoningEfforts: [LLMReasoningEffort]?
    /// The level the template takes when none is given; nil when unknown.
    public var defaultReasoningEffort: LLMReasoningEffort?

    /// Creates capabilities; by default there are none.
    public init(
        supportsThinking: Bool = false,
        supportsReasoningEffort: Bool = false,
        supportsPreserveThinking: Bool = false,
        defaultPreserveThinking: Bool? = nil,
        supportedReasoningEfforts: [LLMReasoningEffort]? = nil,
        defaultReasoningEffort: LLMReasoningEffort? = nil
    ) {
        self.supportsThinking = supportsThinking
        self.supportsReasoningEffort = supportsReasoningEffort
        self.supportsPreserveThinking = supportsPreserveThinking
        self.defaultPreserveThinking = defaultPreserveThinking
        self.supportedReasoningEfforts = supportedReasoningEfforts
        self.defaultReasoningEffort = defaultReasoningEffort
    }

    /// Nothing can be said about thinking.
    public static var none: LLMThinkingCapabilities { LLMThinkingCapabilities() }

    /// What the text of a chat template shows, without rendering it.
    ///
    /// Takes time in proportion to the template's length.
    public static func derived(fromChatTemplate template: String?) -> LLMThinkingCapabilities {
        guard let template else { return .none }
        let supportsEffort = template.contains("reasoning_effort")
        let supportsPreserve = template.contains("preserve_thinking") && template.contains("reasoning_content")
        var capabilities = LLMThinkingCapabilities(
            supportsThinking: template.contains("enable_thinking"),
            supportsReasoningEffort: supportsEffort,
            supportsPreserveThinking: supportsPreserve
        )
        guard supportsEffort || supportsPreserve else { return capabilities }
        let tags = JinjaLexer.tags(in: template)
        if supportsEffort {
            let usage = JinjaVariableUsage(of: "reasoning_effort", in: tags)
            capabilities.defaultReasoningEffort = usage.defaultTexts.lazy.compactMap(LLMReasoningEffort.init).first
            let known = Set(usage.comparedTexts.compactMap(LLMReasoningEffort.init))
                .union(capabilities.defaultReasoningEffort.map { [$0] } ?? [])
            capabilities.supportedReasoningEfforts =
                known.isEmpty ? nil : LLMReasoningEffort.allCases.filter(known.contains)
        }
        if supportsPreserve {
            capabilities.defaultPreserveThinking =
                JinjaVariableUsage(of: "preserve_thinking", in: tags).defaultFlag
        }
        return capabilities
    }
}

extension LLMThinkingCapabilities: Codable {
    private enum CodingKeys: String, CodingKey {
        case supportsThinking, supportsReasoningEffort, supportsPreserveThinking
        case defaultPreserveThinking, supportedReasoningEfforts, defaultReasoningEffort
    }

    /// Decodes capabilities; missing fields take their defaults.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            supportsThinking: try container.decode(forKey: .supportsThinking, default: false),
            supportsReasoningEffort: try container.decode(forKey: .supportsReasoningEffort, default: false),
            supportsPreserveThinking: try container.decode(forKey: .supportsPreserveThinking, default: false),
            defaultPreserveThinking: try container.decodeIfPresent(Bool.self, forKey: .defaultPreserveThinking),
            supportedReasoningEfforts: try container.decodeIfPresent(
                [LLMReasoningEffort].self, forKey: .supportedReasoningEfforts),
            defaultReasoningEffort: try container.decodeIfPresent(
                LLMReasoningEffort.self, forKey: .defaultReasoningEffort)
        )
    }
}
