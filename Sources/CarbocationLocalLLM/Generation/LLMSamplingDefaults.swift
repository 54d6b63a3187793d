/// One layer of sampling settings below those of a request.
///
/// Layers are merged from low to high: the app's global choice, what the model file recommends, a curated entry, the
/// app's override for the model, and last the request itself. A nil field never overrides anything; a 0 does.
public struct LLMSamplingDefaults: Codable, Sendable, Hashable {
    /// See ``GenerationOptions/temperature``.
    public var temperature: Double?
    /// See ``GenerationOptions/topP``.
    public var topP: Double?
    /// See ``GenerationOptions/topK``.
    public var topK: Int?
    /// See ``GenerationOptions/minP``.
    public var minP: Double?
    /// See ``GenerationOptions/presencePenalty``.
    public var presencePenalty: Double?
    /// See ``GenerationOptions/repetitionPenalty``.
    public var repetitionPenalty: Double?
    /// See ``GenerationOptions/seed``.
    public var seed: UInt32?

    /// Creates a layer; whatever is left out does not override.
    public init(
        temperature: Double? = nil,
        topP: Double? = nil,
        topK: Int? = nil,
        minP: Double? = nil,
        presencePenalty: Double? = nil,
        repetitionPenalty: Double? = nil,
        seed: UInt32? = nil
    ) {
        self.temperature = temperature
        self.topP = topP
        self.topK = topK
        self.minP = minP
        self.presencePenalty = presencePenalty
        self.repetitionPenalty = repetitionPenalty
        self.seed = seed
    }

    /// Nothing set: the engine's own defaults apply.
    public static var providerDefault: LLMSamplingDefaults { LLMSamplingDefaults() }

    /// Steady choices for getting data out of text: temperature 0, topP 0.9, topK 40.
    public static var extractionSafe: LLMSamplingDefaults {
        LLMSamplingDefaults(temperature: 0, topP: 0.9, topK: 40)
    }

    /// This layer with the fields of a higher one on top.
    public func merged(with override: LLMSamplingDefaults?) -> LLMSamplingDefaults {
        guard let override else { return self }
        return LLMSamplingDefaults(
            temperature: override.temperature ?? temperature,
            topP: override.topP ?? topP,
            topK: override.topK ?? topK,
            minP: override.minP ?? minP,
            presencePenalty: override.presencePenalty ?? presencePenalty,
            repetitionPenalty: override.repetitionPenalty ?? repetitionPenalty,
            seed: override.seed ?? seed
        )
    }

    /// The options with this layer's values in the fields they leave open.
    public func applying(to options: GenerationOptions) -> GenerationOptions {
        var filled = options
        filled.temperature = options.temperature ?? temperature
        filled.topP = options.topP ?? topP
        filled.topK = options.topK ?? topK
        filled.minP = options.minP ?? minP
        filled.presencePenalty = options.presencePenalty ?? presencePenalty
        filled.repetitionPenalty = options.repetitionPenalty ?? repetitionPenalty
        filled.seed = options.seed ?? seed
        return filled
    }
}
