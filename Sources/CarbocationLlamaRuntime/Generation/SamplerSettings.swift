import CarbocationLocalLLM

/// The numbers of a sampler chain, resolved from a request's options.
struct SamplerSettings: Equatable, Sendable {
    /// Generated tokens that penalties look back on.
    static let penaltyWindow: Int32 = 16

    var seed: UInt32
    /// 0 is greedy.
    var temperature: Float
    var topK: Int32
    var topP: Float
    var minP: Float
    var repetitionPenalty: Float
    var presencePenalty: Float
    var grammar: String?
    var grammarStart = GrammarStart.eager

    /// Resolves validated options; `unsetSeed` takes the place of a seed that is not set.
    init(_ options: GenerationOptions, unsetSeed: UInt32 = .random(in: .min ... .max)) throws {
        seed = options.seed ?? unsetSeed
        temperature = Self.temperature(options.temperature)
        topK = Int32(clamping: max(0, options.topK ?? 0))
        topP = Float(min(1, options.topP ?? 1))
        minP = Float(min(1, options.minP ?? 0))
        repetitionPenalty = max(Self.finite(options.repetitionPenalty ?? 1), .leastNormalMagnitude)
        presencePenalty = Self.finite(options.presencePenalty ?? 0)
        grammar = try options.grammar.map(NativeGrammar.checked) ?? options.jsonSchema.map(NativeGrammar.text(of:))
    }

    var isGreedy: Bool { temperature == 0 }

    /// Nil, zero and below are greedy; a positive value stays positive as a `Float`.
    private static func temperature(_ value: Double?) -> Float {
        guard let value, value > 0 else { return 0 }
        return finite(max(value, Double(Float.leastNormalMagnitude)))
    }

    /// The nearest finite `Float`.
    private static func finite(_ value: Double) -> Float {
        let limit = Double(Float.greatestFiniteMagnitude)
        return Float(min(max(value, -limit), limit))
    }
}
