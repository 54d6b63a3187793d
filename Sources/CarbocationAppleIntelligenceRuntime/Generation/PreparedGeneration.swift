import CarbocationLocalLLM

/// A request that was checked, in the form that the system takes it.
struct PreparedGeneration: Sendable {
    let messages: [LLMChatMessage]
    let options: GenerationOptions
    let offer: ToolOffer?
    let configuration: AppleIntelligenceConfiguration
    let model: any SystemModel
    let prompt: SystemPrompt
    let schema: SchemaPlan?
    /// What the options ask for and cannot be had.
    let unsupported: [AppleIntelligenceUnsupportedOption]

    /// Checks a request.
    ///
    /// - Parameters:
    ///   - messages: The conversation.
    ///   - options: How to generate.
    ///   - offer: The tools that the model may call.
    ///   - configuration: How the model is used.
    /// - Throws: ``AppleIntelligenceError``, `LLMEngineError.invalidOptions`, `.invalidRequest` and
    ///   `LLMToolError.invalidRequest`.
    init(
        _ messages: [LLMChatMessage], options: GenerationOptions, offer: ToolOffer? = nil,
        configuration: AppleIntelligenceConfiguration
    ) throws {
        model = try SystemModelAccess.model()
        try options.validate()
        try offer?.check(options)
        self.messages = try LLMChatMessage.normalizedConversation(messages)
        self.options = options
        self.offer = offer
        self.configuration = configuration
        unsupported = AppleIntelligenceOptionsMapper.resolve(options).unsupported
        if configuration.failsOnUnsupportedOptions, !unsupported.isEmpty {
            let names = unsupported.map(\.rawValue).joined(separator: ", ")
            throw LLMEngineError.invalidOptions("the system's model does not know \(names)")
        }
        schema = options.jsonSchema.flatMap(SchemaPlan.init(expressing:))
        prompt = Self.prompt(self.messages, options: options, offer: offer, isSchemaExpressed: schema != nil)
    }

    /// How the text of the reply becomes the answer.
    var format: ReplyFormat {
        ReplyFormat(
            stops: StopFilter.effectiveStops(requested: options.effectiveStopSequences, template: []),
            answer: Self.wantsJSON(options) ? .balancedJSON : .text)
    }

    /// The options for a reply within a budget.
    func systemOptions(within budget: LLMGenerationPreflight) -> AppleIntelligenceOptions {
        var resolved = AppleIntelligenceOptionsMapper.resolve(options)
        // The counts are estimates: where neither a limit nor a reserve was asked for, no limit is made up.
        if resolved.maximumResponseTokens != nil || budget.reservedOutputTokens > 0 {
            resolved.maximumResponseTokens = budget.effectiveMaxOutputTokens
        }
        return resolved
    }

    /// Whether the request fits, without asking the system.
    var estimatedBudget: LLMGenerationPreflight {
        budget(promptTokens: prompt.estimatedTokens)
    }

    /// Whether the request fits.
    func budget() async -> LLMGenerationPreflight {
        await budget(of: prompt)
    }

    /// Whether the conversation fits when it has grown to these messages.
    func budget(of messages: [LLMChatMessage]) async -> LLMGenerationPreflight {
        await budget(
            of: Self.prompt(messages, options: options, offer: offer, isSchemaExpressed: schema != nil))
    }

    /// The same conversation with messages added, to be answered without tools.
    func withoutTools(adding added: [LLMChatMessage]) -> SystemPrompt {
        Self.prompt(messages + added, options: options, offer: nil, isSchemaExpressed: schema != nil)
    }

    private func budget(of prompt: SystemPrompt) async -> LLMGenerationPreflight {
        let count = await model.tokenCount(of: prompt, schema: schema)
        return budget(promptTokens: count ?? prompt.estimatedTokens)
    }

    private func budget(promptTokens: Int) -> LLMGenerationPreflight {
        LLMGenerationPreflight(
            loadedContextSize: model.contextSize, promptTokens: promptTokens,
            reservedOutputTokens: max(0, configuration.promptReserveTokens),
            requestedMaxOutputTokens: options.maxOutputTokens, usesExactTokenCounts: false)
    }

    // MARK: Directives

    private static func wantsJSON(_ options: GenerationOptions) -> Bool {
        options.stopAtBalancedJSON || options.grammar != nil || options.jsonSchema != nil
    }

    private static func prompt(
        _ messages: [LLMChatMessage], options: GenerationOptions, offer: ToolOffer?, isSchemaExpressed: Bool
    ) -> SystemPrompt {
        var directives: [String] = []
        if wantsJSON(options) {
            directives.append("Answer with one JSON value and nothing else: no text around it and no code fence.")
        }
        if let schema = options.jsonSchema, !isSchemaExpressed {
            directives.append("The JSON value has to follow this JSON schema:\n\(schema.jsonString())")
        }
        if let offer, offer.isCallRequired { directives.append(callDirective(offer)) }
        return SystemPrompt(messages, directives: directives, tools: offer?.tools ?? [])
    }

    private static func callDirective(_ offer: ToolOffer) -> String {
        guard offer.tools.count == 1, let tool = offer.tools.first else {
            return "Call at least one of the tools before you answer."
        }
        return "Call the tool \(tool.name) before you answer."
    }
}
