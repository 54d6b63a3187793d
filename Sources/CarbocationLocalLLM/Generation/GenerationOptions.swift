/// How one generation samples, where it stops and how it thinks.
///
/// A nil field leaves the choice to the model's and the app's defaults, see ``LLMSamplingDefaults``.
///
/// ```swift
/// var options = GenerationOptions.extractionSafe
/// options.maxOutputTokens = 256
/// ```
public struct GenerationOptions: Sendable, Hashable {
    /// Randomness; 0 and below always take the likeliest token.
    public var temperature: Double?
    /// Keeps the likeliest tokens up to this probability mass; above 1 counts as 1.
    public var topP: Double?
    /// Keeps this many of the likeliest tokens; 0 and below count as not set.
    public var topK: Int?
    /// Drops tokens less likely than this fraction of the likeliest; above 1 counts as 1.
    public var minP: Double?
    /// Lowers the logit of tokens that occurred lately by this amount.
    public var presencePenalty: Double?
    /// Divides the logit of tokens that occurred lately by this factor; 1 changes nothing.
    public var repetitionPenalty: Double?
    /// The most tokens to generate; 0 and below count as not set.
    public var maxOutputTokens: Int?
    /// The seed of the random numbers; nil draws one, which the result reports.
    public var seed: UInt32?

    /// Texts that end the generation and are no part of the output; empty ones are dropped.
    public var stopSequences: [String]
    /// Whether the generation ends with the first complete JSON value of the answer.
    public var stopAtBalancedJSON: Bool
    /// A GBNF grammar the answer must follow; not together with ``jsonSchema``.
    public var grammar: String?
    /// A JSON schema the answer must follow; not together with ``grammar``.
    public var jsonSchema: LLMJSONValue?

    /// Whether the chat template is asked to let the model think.
    public var enableThinking: Bool
    /// How hard to think, for templates that know levels.
    public var reasoningEffort: LLMReasoningEffort?
    /// Whether the template keeps the thinking of earlier turns in the prompt; nil leaves it to the template.
    public var preserveThinking: Bool?
    /// The most tokens to think before thinking is ended; 0 ends it at once, nil sets no limit.
    public var thinkingBudgetTokens: Int?
    /// Text put into the thinking just before the budget ends it.
    public var thinkingBudgetMessage: String

    /// How thinking is told from the answer.
    public var streamPhaseConfiguration: LLMStreamPhaseConfiguration
    /// How many of the likeliest tokens to report with each generated one, 0 to 20; nil reports none.
    public var logprobs: Int?

    /// Creates options; whatever is left out stays at its default.
    public init(
        temperature: Double? = nil,
        topP: Double? = nil,
        topK: Int? = nil,
        minP: Double? = nil,
        presencePenalty: Double? = nil,
        repetitionPenalty: Double? = nil,
        maxOutputTokens: Int? = nil,
        seed: UInt32? = nil,
        stopSequences: [String] = [],
        stopAtBalancedJSON: Bool = false,
        grammar: String? = nil,
        jsonSchema: LLMJSONValue? = nil,
        enableThinking: Bool = false,
        reasoningEffort: LLMReasoningEffort? = nil,
        preserveThinking: Bool? = nil,
        thinkingBudgetTokens: Int? = nil,
        thinkingBudgetMessage: String = "",
        streamPhaseConfiguration: LLMStreamPhaseConfiguration = .automatic,
        logprobs: Int? = nil
    ) {
        self.temperature = temperature
        self.topP = topP
        self.topK = topK
        self.minP = minP
        self.presencePenalty = presencePenalty
        self.repetitionPenalty = repetitionPenalty
        self.maxOutputTokens = maxOutputTokens
        self.seed = seed
        self.stopSequences = stopSequences
        self.stopAtBalancedJSON = stopAtBalancedJSON
        self.grammar = grammar
        self.jsonSchema = jsonSchema
        self.enableThinking = enableThinking
        self.reasoningEffort = reasoningEffort
        self.preserveThinking = preserveThinking
        self.thinkingBudgetTokens = thinkingBudgetTokens
        self.thinkingBudgetMessage = thinkingBudgetMessage
        self.streamPhaseConfiguration = streamPhaseConfiguration
        self.logprobs = logprobs
    }

    /// Steady choices for getting data out of text: temperature 0, topP 0.9, topK 40.
    public static var extractionSafe: GenerationOptions {
        GenerationOptions(temperature: 0, topP: 0.9, topK: 40)
    }

    /// A copy with another grammar.
    public func with(grammar: String?) -> GenerationOptions {
        var copy = self
        copy.grammar = grammar
        return copy
    }

    /// A copy with another JSON schema.
    public func with(jsonSchema: LLMJSONValue?) -> GenerationOptions {
        var copy = self
        copy.jsonSchema = jsonSchema
        return copy
    }
}
