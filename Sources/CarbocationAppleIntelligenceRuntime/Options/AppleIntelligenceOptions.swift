package import CarbocationLocalLLM

/// How the system's language model is asked to generate, as far as it can be asked.
package struct AppleIntelligenceOptions: Sendable, Hashable {
    /// How tokens are chosen.
    package enum Sampling: Sendable, Hashable {
        /// As the system does it by itself.
        case systemDefault
        /// Always the likeliest.
        case greedy
        /// One of the likeliest `count`.
        case top(count: Int, seed: UInt64?)
        /// One of the likeliest that together have this probability.
        case threshold(Double, seed: UInt64?)
    }

    /// How tokens are chosen.
    package var sampling: Sampling = .systemDefault
    /// Randomness; nil leaves it to the system, also where nothing is random.
    package var temperature: Double?
    /// The most tokens to generate; nil sets no limit.
    package var maximumResponseTokens: Int?
    /// What was asked for and cannot be had.
    package var unsupported: [AppleIntelligenceUnsupportedOption] = []
}

/// Finds what of the package's options the system's language model can do.
package enum AppleIntelligenceOptionsMapper {
    /// The options for the system.
    ///
    /// Values that change nothing, such as a penalty of 0, are never unsupported; nor are filters of the sampling when
    /// nothing is sampled.
    ///
    /// - Parameter options: Validated options.
    /// - Returns: What the system is told, and what it cannot do.
    package static func resolve(_ options: GenerationOptions) -> AppleIntelligenceOptions {
        var resolved = AppleIntelligenceOptions()
        resolved.sampling = sampling(options)
        if case .greedy = resolved.sampling {} else { resolved.temperature = options.temperature }
        resolved.maximumResponseTokens = options.maxOutputTokens.flatMap { $0 > 0 ? $0 : nil }
        resolved.unsupported = unsupported(options, isGreedy: resolved.sampling == .greedy)
        return resolved
    }

    private static func sampling(_ options: GenerationOptions) -> AppleIntelligenceOptions.Sampling {
        if let temperature = options.temperature, temperature <= 0 { return .greedy }
        // With no mass left only the likeliest token remains.
        if let topP = options.topP, topP <= 0 { return .greedy }
        let seed = options.seed.map(UInt64.init)
        if let topK = options.topK, topK > 0 { return .top(count: topK, seed: seed) }
        if let topP = options.topP { return .threshold(min(topP, 1), seed: seed) }
        // A seed cannot be given without a filter; this one lets everything through.
        return seed == nil ? .systemDefault : .threshold(1, seed: seed)
    }

    private static func unsupported(
        _ options: GenerationOptions, isGreedy: Bool
    ) -> [AppleIntelligenceUnsupportedOption] {
        var unsupported: [AppleIntelligenceUnsupportedOption] = []
        if options.grammar != nil { unsupported.append(.grammar) }
        if let schema = options.jsonSchema, SchemaPlan(expressing: schema) == nil { unsupported.append(.jsonSchema) }
        if !isGreedy, let minP = options.minP, minP > 0 { unsupported.append(.minP) }
        if let penalty = options.presencePenalty, penalty != 0 { unsupported.append(.presencePenalty) }
        if let penalty = options.repetitionPenalty, penalty != 1 { unsupported.append(.repetitionPenalty) }
        if !isGreedy, let topK = options.topK, topK > 0, let topP = options.topP, topP < 1 {
            unsupported.append(.combinedSamplingFilters)
        }
        return unsupported
    }
}
