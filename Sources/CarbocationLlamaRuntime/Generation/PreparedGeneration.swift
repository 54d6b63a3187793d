import CarbocationLocalLLM

/// A request turned into what the scheduler needs, before any decoding.
struct PreparedGeneration: Sendable {
    let tokens: [Token]
    let outputLimit: Int
    let limitReason: LLMStopReason
    let sampler: NativeSampler
    /// The seed in use; nil for greedy sampling.
    let seed: UInt32?
    let stopSequences: [String]
    let templateMode: LLMChatTemplateMode

    /// Renders, tokenises and budgets `request`, and compiles its sampler. Blocks.
    init(_ request: LLMGenerationRequest, model: LoadedModel, reserve: Int) throws {
        let messages = try request.validatedMessages()
        let prompt = try model.renderer.render(PromptRenderRequest(messages: messages, options: request.options))
        tokens = try model.renderer.tokens(of: prompt)
        let preflight = LLMGenerationPreflight(
            loadedContextSize: model.info.contextSize, modelTrainingContextSize: model.info.trainingContextSize,
            promptTokens: tokens.count, reservedOutputTokens: reserve,
            requestedMaxOutputTokens: request.options.maxOutputTokens, usesExactTokenCounts: true,
            templateMode: model.renderer.mode)
        self.preflight = preflight
        outputLimit = preflight.effectiveMaxOutputTokens
        let isRequested = (request.options.maxOutputTokens ?? 0) == outputLimit
        limitReason = isRequested ? .maxTokens : .contextFull
        let settings = SamplerSettings(request.options)
        sampler = try NativeSampler(model: model.model, settings: settings)
        seed = settings.isGreedy ? nil : settings.seed
        stopSequences = StopFilter.effectiveStops(
            request: request.options.stopSequences, template: prompt.format.stops)
        templateMode = model.renderer.mode
    }

    let preflight: LLMGenerationPreflight

    /// Throws unless the prompt leaves room for at least one token.
    func checkBudget() throws {
        guard !preflight.canGenerate else { return }
        let context = preflight.loadedContextSize
        let reserve = preflight.reservedOutputTokens
        throw tokens.count >= context
            ? LLMEngineError.contextBudgetExceeded(
                contextSize: context, promptTokens: tokens.count, reserve: reserve)
            : LLMEngineError.insufficientGenerationBudget(
                contextSize: context, promptTokens: tokens.count, reserve: reserve)
    }
}
