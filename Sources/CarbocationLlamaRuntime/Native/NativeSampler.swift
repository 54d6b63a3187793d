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
        let status = settings.grammar.withOptionalCString { grammar in
            params.grammar = grammar
            return cl_sampler_create(model.raw, &params, &created)
        }
        if status == CL_GRAMMAR_INVALID { throw NativeFailure(status).error { .grammarParseFailed($0) } }
        try check(status) { .samplerInitFailed($0) }
        guard let created else { throw LLMEngineError.samplerInitFailed("llama.cpp returned no sampler.") }
        raw = created
        self.model = model
    }

    deinit {
        cl_sampler_free(raw)
    }

    /// Picks and accepts a token from the logits of batch entry `row`.
    func sample(from context: NativeContext, row: Int) throws -> Token {
        var token: Token = -1
        try check(cl_sampler_sample(raw, context.raw, Int32(row), &token)) { .decodeFailed($0) }
        return token
    }
}

extension String? {
    /// Calls `body` with the C string, or NULL for nil.
    fileprivate func withOptionalCString<Result>(_ body: (UnsafePointer<CChar>?) throws -> Result) rethrows -> Result {
        guard let self else { return try body(nil) }
        return try self.withCString(body)
    }
}
