/// How a session generates.
@available(macOS 26.0, iOS 26.0, *)
public struct GenerationOptions: Sendable, Equatable {
    /// How tokens are chosen; opaque to callers, as in the framework.
    public struct SamplingMode: Sendable, Equatable {
        /// For tests.
        package enum Kind: Sendable, Equatable {
            case greedy
            case top(Int, seed: UInt64?)
            case threshold(Double, seed: UInt64?)
        }

        /// For tests.
        package let kind: Kind

        /// Always the likeliest token.
        public static var greedy: SamplingMode { SamplingMode(kind: .greedy) }

        /// One of the likeliest `k` tokens.
        public static func random(top k: Int, seed: UInt64? = nil) -> SamplingMode {
            SamplingMode(kind: .top(k, seed: seed))
        }

        /// One of the likeliest tokens that together have this probability.
        public static func random(probabilityThreshold: Double, seed: UInt64? = nil) -> SamplingMode {
            SamplingMode(kind: .threshold(probabilityThreshold, seed: seed))
        }
    }

    /// How tokens are chosen.
    public var sampling: SamplingMode?
    /// Randomness.
    public var temperature: Double?
    /// The most tokens to generate.
    public var maximumResponseTokens: Int?

    /// Creates options.
    public init(sampling: SamplingMode? = nil, temperature: Double? = nil, maximumResponseTokens: Int? = nil) {
        self.sampling = sampling
        self.temperature = temperature
        self.maximumResponseTokens = maximumResponseTokens
    }
}
