extension GenerationOptions: Codable {
    private enum CodingKeys: String, CodingKey {
        case temperature, topP, topK, minP, presencePenalty, repetitionPenalty, maxOutputTokens, seed
        case stopSequences, stopAtBalancedJSON, grammar, jsonSchema
        case enableThinking, reasoningEffort, preserveThinking, thinkingBudgetTokens, thinkingBudgetMessage
        case streamPhaseConfiguration, logprobs
    }

    /// Decodes options; missing fields take their defaults, unknown ones are ignored.
    ///
    /// A negative thinking budget is a `DecodingError`; all other ranges are left to ``validate()``.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init()
        try decodeSampling(from: container)
        try decodeStopping(from: container)
        try decodeThinking(from: container)
    }

    /// Encodes the fields that are set; default options give an empty object.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try encodeSampling(into: &container)
        try encodeStopping(into: &container)
        try encodeThinking(into: &container)
    }
}

extension GenerationOptions {
    private mutating func decodeSampling(from container: KeyedDecodingContainer<CodingKeys>) throws {
        temperature = try container.decodeIfPresent(Double.self, forKey: .temperature)
        topP = try container.decodeIfPresent(Double.self, forKey: .topP)
        topK = try container.decodeIfPresent(Int.self, forKey: .topK)
        minP = try container.decodeIfPresent(Double.self, forKey: .minP)
        presencePenalty = try container.decodeIfPresent(Double.self, forKey: .presencePenalty)
        repetitionPenalty = try container.decodeIfPresent(Double.self, forKey: .repetitionPenalty)
        maxOutputTokens = try container.decodeIfPresent(Int.self, forKey: .maxOutputTokens)
        seed = try container.decodeIfPresent(UInt32.self, forKey: .seed)
        logprobs = try container.decodeIfPresent(Int.self, forKey: .logprobs)
    }

    private func encodeSampling(into container: inout KeyedEncodingContainer<CodingKeys>) throws {
        try container.encodeIfPresent(temperature, forKey: .temperature)
        try container.encodeIfPresent(topP, forKey: .topP)
        try container.encodeIfPresent(topK, forKey: .topK)
        try container.encodeIfPresent(minP, forKey: .minP)
        try container.encodeIfPresent(presencePenalty, forKey: .presencePenalty)
        try container.encodeIfPresent(repetitionPenalty, forKey: .repetitionPenalty)
        try container.encodeIfPresent(maxOutputTokens, forKey: .maxOutputTokens)
        try container.encodeIfPresent(seed, forKey: .seed)
        try container.encodeIfPresent(logprobs, forKey: .logprobs)
    }

    private mutating func decodeStopping(from container: KeyedDecodingContainer<CodingKeys>) throws {
        stopSequences = try container.decode(forKey: .stopSequences, default: [])
        stopAtBalancedJSON = try container.decode(forKey: .stopAtBalancedJSON, default: false)
        grammar = try container.decodeIfPresent(String.self, forKey: .grammar)
        jsonSchema = try container.decodeIfPresent(LLMJSONValue.self, forKey: .jsonSchema)
    }

    private func encodeStopping(into container: inout KeyedEncodingContainer<CodingKeys>) throws {
        try container.encode(stopSequences, forKey: .stopSequences, unless: [])
        try container.encode(stopAtBalancedJSON, forKey: .stopAtBalancedJSON, unless: false)
        if let grammar, !grammar.isEmpty { try container.encode(grammar, forKey: .grammar) }
        try container.encodeIfPresent(jsonSchema, forKey: .jsonSchema)
    }

    private mutating func decodeThinking(from container: KeyedDecodingContainer<CodingKeys>) throws {
        enableThinking = try container.decode(forKey: .enableThinking, default: false)
        reasoningEffort = try container.decodeIfPresent(LLMReasoningEffort.self, forKey: .reasoningEffort)
        preserveThinking = try container.decodeIfPresent(Bool.self, forKey: .preserveThinking)
        thinkingBudgetTokens = try container.decodeIfPresent(Int.self, forKey: .thinkingBudgetTokens)
        thinkingBudgetMessage = try container.decode(forKey: .thinkingBudgetMessage, default: "")
        streamPhaseConfiguration = try container.decode(forKey: .streamPhaseConfiguration, default: .automatic)
        if let thinkingBudgetTokens, thinkingBudgetTokens < 0 {
            throw DecodingError.dataCorruptedError(
                forKey: .thinkingBudgetTokens,
                in: container,
                debugDescription: "The thinking budget \(thinkingBudgetTokens) is negative."
            )
        }
    }

    private func encodeThinking(into container: inout KeyedEncodingContainer<CodingKeys>) throws {
        try container.encode(enableThinking, forKey: .enableThinking, unless: false)
        try container.encodeIfPresent(reasoningEffort, forKey: .reasoningEffort)
        try container.encodeIfPresent(preserveThinking, forKey: .preserveThinking)
        try container.encodeIfPresent(thinkingBudgetTokens, forKey: .thinkingBudgetTokens)
        try container.encode(thinkingBudgetMessage, forKey: .thinkingBudgetMessage, unless: "")
        try container.encode(streamPhaseConfiguration, forKey: .streamPhaseConfiguration, unless: .automatic)
    }
}
