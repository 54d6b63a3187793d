import CLlama
import CarbocationLocalLLM

/// Sole owner of one request's sampler chain.
// `@unchecked` because it is built on one thread and then used by the inference thread only.
final class NativeSampler: @unchecked Sendable {
    private let raw: OpaquePointer
    /// Keeps the vocabulary alive that the sampler points into.
    private let model: NativeModel

    /// Builds the chain for `settings`.
    ///
    /// Throws ``LLMEngineError/grammarParseFailed(_:)`` when llama.cpp refuses the grammar.
    init(model: NativeModel, settings: SamplerSettings) throws {
        var params = cl_sampler_params()
        params.seed = settings.seed
        params.temperature = settings.temperature
        params.top_k = settings.topK
        params.top_p = settings.topP
        params.min_p = settings.minP
        params.penalty_window = SamplerSettings.penaltyWindow
        params.repetition_penalty = settings.repetitionPenalty
        params.presence_penalty = settings.presencePenalty
        var created: OpaquePointer?
        let start = settings.grammarStart
        params.grammar_start = start.native
        if case .behindPrompt = start { params.grammar_covers_thinking = true }
        let status = settings.grammar.withOptionalCString { grammar in
            start.opener.withOptionalCString { opener in
                start.closer.withOptionalCString { closer in
                    params.grammar = grammar
                    params.thinking_opener = opener
                    params.thinking_closer = closer
                    return cl_sampler_create(model.raw, &params, &created)
                }
            }
        }
        if status == CL_GRAMMAR_INVALID || status == CL_LIMIT_EXCEEDED {
            throw NativeFailure(status).error { .grammarParseFailed($0) }
        }
        try check(status) { .samplerInitFailed($0) }
        guard let created else { throw LLMEngineError.samplerInitFailed("llama.cpp returned no sampler.") }
        raw = created
        self.model = model
        if case .behindPrompt(let text) = start {
            try check(cl_sampler_begin_grammar(raw, text, text.utf8.count)) { .grammarParseFailed($0) }
        }
    }

    deinit {
        cl_sampler_free(raw)
    }

    /// Its stages in order, such as `penalties,greedy`.
    var label: String { String(cString: cl_sampler_description(raw)) }

    /// Lets a grammar begin that waits; `text` is what the reply has of it already.
    ///
    /// Throws ``LLMEngineError/structuredOutputPhaseFailed(_:)`` when the reply does not begin as the grammar says.
    func beginGrammar(with text: String) throws {
        try check(cl_sampler_begin_grammar(raw, text, text.utf8.count)) { .structuredOutputPhaseFailed($0) }
    }

    /// Lets the grammar of a call begin with what the reply has of it; false when the call does not begin like that.
    func beginCallGrammar(with text: String) -> Bool {
        cl_sampler_begin_grammar(raw, text, text.utf8.count) == CL_OK
    }

    /// Limits thinking from now on.
    func limitThinking(_ budget: ThinkingBudget) throws {
        let status = budget.opener.withSpan { opener in
            budget.closer.withSpan { closer in
                budget.forced.withSpan { forced in
                    var native = cl_thinking_budget(
                        opener: opener, closer: closer, forced: forced, tokens: Int32(clamping: budget.tokens),
                        is_counting: budget.isCounting)
                    return cl_sampler_limit_thinking(raw, &native)
                }
            }
        }
        try check(status) { .samplerInitFailed($0) }
    }

    /// Makes the reply go on with `tokens`, if it is thinking.
    @discardableResult
    func endThinking(with tokens: [Token]) -> Bool {
        tokens.withSpan { cl_sampler_end_thinking(raw, $0) }
    }

    /// Picks and accepts a token from the logits of batch entry `row`.
    func sample(from context: NativeContext, row: Int) throws -> Token {
        var token: Token = -1
        try check(cl_sampler_sample(raw, context.raw, Int32(row), &token)) { .decodeFailed($0) }
        return token
    }
}

extension [Token] {
    fileprivate func withSpan<Result>(_ body: (cl_token_span) throws -> Result) rethrows -> Result {
        try withUnsafeBufferPointer { try body(cl_token_span(tokens: $0.baseAddress, count: $0.count)) }
    }
}

extension GrammarStart {
    fileprivate var native: cl_grammar_start {
        switch self {
        case .eager: CL_GRAMMAR_EAGER
        case .afterMarker: CL_GRAMMAR_AFTER_MARKER
        case .orThinking: CL_GRAMMAR_OR_THINKING
        case .atCall, .behindPrompt: CL_GRAMMAR_ON_TRIGGER
        }
    }

    fileprivate var opener: String? {
        if case .orThinking(let pair) = self { pair.open } else { nil }
    }

    fileprivate var closer: String? {
        if case .orThinking(let pair) = self { pair.close } else { nil }
    }
}

extension String? {
    /// Calls `body` with the C string, or NULL for nil.
    fileprivate func withOptionalCString<Result>(_ body: (UnsafePointer<CChar>?) throws -> Result) rethrows -> Result {
        guard let self else { return try body(nil) }
        return try self.withCString(body)
    }
}
