/// How to tell thinking from answer, beyond what the model's chat template says.
///
/// The markers given here are used in addition to the template's.
public struct LLMStreamPhaseConfiguration: Sendable, Hashable {
    /// Markers around thinking; pairs with an empty `close` are ignored.
    public var thinkingPairs: [OutputDelimiterPair]
    /// Markers after which the answer begins; blank ones are ignored.
    public var finalMarkers: [String]
    /// Whether output begins inside thinking; nil derives it from the rendered prompt.
    public var startsInThinking: Bool?

    /// Creates a configuration.
    public init(
        thinkingPairs: [OutputDelimiterPair] = [],
        finalMarkers: [String] = [],
        startsInThinking: Bool? = nil
    ) {
        self.thinkingPairs = thinkingPairs
        self.finalMarkers = finalMarkers
        self.startsInThinking = startsInThinking
    }

    /// Everything from the chat template.
    public static var automatic: LLMStreamPhaseConfiguration { LLMStreamPhaseConfiguration() }

    /// Whether the configuration changes nothing; markers that are ignored do not count.
    public var isEmpty: Bool {
        effectiveThinkingPairs.isEmpty && effectiveFinalMarkers.isEmpty && startsInThinking == nil
    }

    /// The pairs that can close.
    package var effectiveThinkingPairs: [OutputDelimiterPair] {
        thinkingPairs.filter { !$0.close.isEmpty }
    }

    /// The final markers that are more than white space.
    package var effectiveFinalMarkers: [String] {
        finalMarkers.filter { marker in !marker.allSatisfy(\.isWhitespace) }
    }
}

extension LLMStreamPhaseConfiguration: Codable {
    private enum CodingKeys: String, CodingKey {
        case thinkingPairs, finalMarkers, startsInThinking
    }

    /// Decodes a configuration; missing fields take their defaults.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        thinkingPairs = try container.decode(forKey: .thinkingPairs, default: [])
        finalMarkers = try container.decode(forKey: .finalMarkers, default: [])
        startsInThinking = try container.decodeIfPresent(Bool.self, forKey: .startsInThinking)
    }

    /// Encodes the fields that differ from their defaults.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(thinkingPairs, forKey: .thinkingPairs, unless: [])
        try container.encode(finalMarkers, forKey: .finalMarkers, unless: [])
        try container.encodeIfPresent(startsInThinking, forKey: .startsInThinking)
    }
}
