import CarbocationLocalLLM

/// A request turned into what the scheduler needs, before any decoding.
struct PreparedGeneration: Sendable {
    let tokens: [Token]
    let sampler: NativeSampler
    /// The seed in use; nil for greedy sampling.
    let seed: UInt32?
    /// How the output is read.
    let reply: ReplyFormat
    let markers: MarkerTokens
    /// Control tokens that end the turn because the template says so.
    let endTokens: Set<Token>
    /// What ends thinking, when something may make it end.
    let thinkingCloser: [Token]
    /// How many likely tokens to report for each generated one; nil for no report.
    let logprobs: Int?
    let preflight: LLMGenerationPreflight
    /// Whether tokens are drafted.
    let speculation: SpeculationPlan
    /// Whether the reply has to be at least one call.
    let requiresCall: Bool
    /// When the sampler's grammar begins.
    let grammarStart: GrammarStart
    /// How a grammar that waits for a call begins.
    let callLead: CallLead?

    /// Renders, tokenises and budgets a validated request, and compiles its sampler.
    ///
    /// Tokens in `ledger` stand for the text at the beginning of the prompt as far as they are that text.
    ///
    /// Blocks for milliseconds, with a hostile template for seconds.
    init(
        _ request: LLMGenerationRequest, tools: ToolOffer? = nil, ledger: [Token] = [], model: LoadedModel,
        reserve: Int, cancellation: CancellationSignal
    ) throws {
        let messages = try LLMChatMessage.normalizedConversation(request.messages)
        let options = request.options
        let prompt = try model.renderer.render(messages, options: options, tools: tools?.told)
        try cancellation.check()
        tokens = LedgerAlignment.tokens(
            for: try model.renderer.tokens(of: prompt), ledger: ledger, vocabulary: model.model)
        try cancellation.check()
        guard !tokens.isEmpty else {
            throw LLMEngineError.invalidRequest("the prompt renders to no tokens; add some text to the messages")
        }
        let phases = ReplyFormat.Phases(
            promptTail: prompt.segments.templateTail, thinkingStart: prompt.format.thinkingStart,
            thinkingEnds: prompt.format.thinkingEnds, template: model.renderer.markers,
            configuration: options.streamPhaseConfiguration)
        var settings = try SamplerSettings(options)
        settings.grammarStart = GrammarStart(phases, enableThinking: options.enableThinking)
        try tools?.check(options)
        let calls = try tools.map { offer in
            try ToolCallReading(
                offer, messages: messages, prompt: prompt, options: options, renderer: model.renderer)
        }
        callLead = try settings.take(calls)
        grammarStart = settings.grammarStart
        speculation = model.speculation.plan(
            SpeculationPlan.Controls(
                readsToolCalls: tools != nil, endsThinking: options.enableThinking && request.control != nil,
                hasLazyGrammar: settings.grammar != nil && settings.grammarStart != .eager))
        sampler = try NativeSampler(model: model.model, settings: settings)
        seed = settings.isGreedy ? nil : settings.seed
        requiresCall = tools?.isCallRequired ?? false
        let plan = ThinkingBudgetPlan(
            options: options, hasControl: request.control != nil, offersTools: tools != nil, phases: phases)
        let budget = try plan?.budget(for: model.model)
        if let budget { try sampler.limitThinking(budget) }
        thinkingCloser = budget?.closing ?? []
        logprobs = options.logprobs
        (reply, markers, endTokens) = Self.reading(options, phases, prompt, settings, calls, model)
        preflight = LLMGenerationPreflight(
            loadedContextSize: model.info.contextSize, modelTrainingContextSize: model.info.trainingContextSize,
            promptTokens: tokens.count, reservedOutputTokens: reserve,
            requestedMaxOutputTokens: options.maxOutputTokens,
            usesExactTokenCounts: true, templateMode: model.renderer.mode)
    }

    var outputLimit: Int { preflight.effectiveMaxOutputTokens }

    /// What reaching the limit is called; a requested limit wins a tie with the context.
    var limitReason: LLMStopReason {
        preflight.requestedMaxOutputTokens == outputLimit ? .maxTokens : .contextFull
    }

    private static func reading(
        _ options: GenerationOptions, _ phases: ReplyFormat.Phases, _ prompt: RenderedPrompt,
        _ settings: SamplerSettings, _ calls: ToolCallReading?, _ model: LoadedModel
    ) -> (ReplyFormat, MarkerTokens, Set<Token>) {
        var reply = ReplyFormat(phases: phases)
        if let calls {
            reply.answer = .tools(calls.syntax, calls.offer.tools, calls.allocator)
        } else if options.stopAtBalancedJSON {
            reply.answer = .balancedJSON
        } else if settings.grammar != nil {
            reply.answer = .structured(settings.grammarStart.constraint)
        }
        let markers = MarkerTokens(reply.markers, preserved: calls?.preservedTokens ?? [], model: model.model)
        reply.tokenMarkers = markers.markers
        reply.controlTokens = markers.controls
        let ends = phases.endMarkers(found: prompt.format.stops)
        let endTokens = ends.filter { !reply.markers.contains($0) }.compactMap(model.model.controlToken)
        reply.stops = StopFilter.effectiveStops(
            requested: options.effectiveStopSequences,
            template: ends.filter { model.model.controlToken($0) == nil })
        return (reply, markers, Set(endTokens))
    }
}
