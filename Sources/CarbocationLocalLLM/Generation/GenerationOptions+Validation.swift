extension GenerationOptions {
    /// The range of ``logprobs``.
    package static let logprobsRange = 0...20

    /// Checks every field before any work is done.
    ///
    /// Values that merely mean "not set", such as a topK of 0, and probabilities above 1 are accepted.
    ///
    /// - Throws: ``LLMEngineError/invalidOptions(_:)`` naming the first field that cannot be used.
    public func validate() throws {
        try Self.require(temperature?.isFinite, "temperature must be a finite number")
        try Self.require(topP.map(Self.isUsableProbability), "topP must be a finite number of at least 0")
        try Self.require(minP.map(Self.isUsableProbability), "minP must be a finite number of at least 0")
        try Self.require(presencePenalty?.isFinite, "presencePenalty must be a finite number")
        try Self.require(
            repetitionPenalty.map { $0.isFinite && $0 > 0 },
            "repetitionPenalty must be a finite number above 0"
        )
        try Self.require(thinkingBudgetTokens.map { $0 >= 0 }, "thinkingBudgetTokens must not be negative")
        try Self.require(
            logprobs.map(Self.logprobsRange.contains),
            "logprobs must be between \(Self.logprobsRange.lowerBound) and \(Self.logprobsRange.upperBound)"
        )
        try Self.require(
            grammar == nil || jsonSchema == nil,
            "grammar and jsonSchema exclude each other, set only one of them"
        )
    }

    /// ``stopSequences`` without the empty ones, which would match everywhere.
    package var effectiveStopSequences: [String] {
        stopSequences.filter { !$0.isEmpty }
    }

    /// Passes when `isUsable` is true or nil, that is, not set.
    private static func require(_ isUsable: Bool?, _ problem: String) throws {
        guard isUsable ?? true else { throw LLMEngineError.invalidOptions(problem) }
    }

    private static func isUsableProbability(_ value: Double) -> Bool {
        value.isFinite && value >= 0
    }
}
