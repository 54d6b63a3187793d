import CarbocationLocalLLM

/// A request turned into what the scheduler needs, before any decoding.
struct PreparedGeneration: Sendable {
    let tokens: [Token]
    let sampler: NativeSampler
    /// The seed in use; nil for greedy sampling.
    let seed: UInt32?
    /// The request's stop sequences, then the template's.
    let stops: [String]
    /// Control tokens that end the turn because the template says so.
    let endTokens: Set<Token>
    let preflight: LLMGenerationPreflight

    /// Renders, tokenises and budgets a validated request, and compiles its sampler.
    ///
    /// Blocks for milliseconds, with a hostile template for seconds.
    init(
        _ request: LLMGenerationRequest, model: LoadedModel, reserve: Int, cancellation: CancellationSignal
    ) throws {
        let messages = try LLMChatMessage.normalizedConversation(request.messages)
        let prompt = try model.renderer.render(PromptRenderRequest(messages: messages, options: request.options))
        try cancellation.check()
        tokens = try model.renderer.tokens(of: prompt)
        try cancellation.check()
        guard !tokens.isEmpty else {
            throw LLMEngineError.invalidRequest("the prompt renders to no tokens; add some text to the messages")
        }
        let settings = try SamplerSettings(request.options)
        sampler = try NativeSampler(model: model.model, settings: settings)
        seed = settings.isGreedy ? nil : settings.seed
        stops = StopFilter.effectiveStops(
            requested: request.options.effectiveStopSequences, template: model.renderer.textStops(of: prompt.format))
        endTokens = model.renderer.endTokens(of: prompt.format)
        preflight = LLMGenerationPreflight(
            loadedContextSize: model.info.contextSize, modelTrainingContextSize: model.info.trainingContextSize,
            promptTokens: tokens.count, reservedOutputTokens: reserve,
            requestedMaxOutputTokens: request.options.maxOutputTokens, usesExactTokenCounts: true,
            templateMode: model.renderer.mode)
    }

    var outputLimit: Int { preflight.effectiveMaxOutputTokens }

    /// What reaching the limit is called; a requested limit wins a tie with the context.
    var limitReason: LLMStopReason {
        preflight.requestedMaxOutputTokens == outputLimit ? .maxTokens : .contextFull
    }
}
