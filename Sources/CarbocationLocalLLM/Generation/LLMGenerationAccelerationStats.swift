/// What speculation did for a generation.
public struct LLMGenerationAccelerationStats: Sendable, Hashable {
    /// Whether it was used, and if not, why.
    public var status: LLMGenerationAccelerationStatus
    /// The method: `mtp`, `draft`, `ngram` or `none`.
    public var accelerator: String
    /// The most tokens drafted at once.
    public var maxDraftTokens: Int
    /// How often tokens were drafted.
    public var draftCalls: Int
    /// How many tokens were drafted.
    public var draftTokensGenerated: Int
    /// How many of them the model accepted.
    public var draftTokensAccepted: Int

    /// Creates statistics.
    public init(
        status: LLMGenerationAccelerationStatus,
        accelerator: String,
        maxDraftTokens: Int = 0,
        draftCalls: Int = 0,
        draftTokensGenerated: Int = 0,
        draftTokensAccepted: Int = 0
    ) {
        self.status = status
        self.accelerator = accelerator
        self.maxDraftTokens = maxDraftTokens
        self.draftCalls = draftCalls
        self.draftTokensGenerated = draftTokensGenerated
        self.draftTokensAccepted = draftTokensAccepted
    }

    /// The accepted part of the drafted tokens, 0 to 1; nil when none were drafted.
    public var acceptanceRate: Double? {
        guard draftTokensGenerated > 0 else { return nil }
        return Double(draftTokensAccepted) / Double(draftTokensGenerated)
    }

    /// Adds the statistics of another generation.
    ///
    /// Counters add up; status and accelerator are those of the generation that got further.
    public mutating func merge(_ other: LLMGenerationAccelerationStats) {
        if other.status.precedence > status.precedence {
            status = other.status
            accelerator = other.accelerator
        }
        maxDraftTokens = max(maxDraftTokens, other.maxDraftTokens)
        draftCalls = draftCalls.addingSaturated(other.draftCalls)
        draftTokensGenerated = draftTokensGenerated.addingSaturated(other.draftTokensGenerated)
        draftTokensAccepted = draftTokensAccepted.addingSaturated(other.draftTokensAccepted)
    }
}

extension LLMGenerationAccelerationStats: Codable {
    private enum CodingKeys: String, CodingKey {
        case status, accelerator, maxDraftTokens, draftCalls, draftTokensGenerated, draftTokensAccepted
    }

    /// Decodes statistics; missing counters are 0.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            status: try container.decode(LLMGenerationAccelerationStatus.self, forKey: .status),
            accelerator: try container.decode(String.self, forKey: .accelerator),
            maxDraftTokens: try container.decode(forKey: .maxDraftTokens, default: 0),
            draftCalls: try container.decode(forKey: .draftCalls, default: 0),
            draftTokensGenerated: try container.decode(forKey: .draftTokensGenerated, default: 0),
            draftTokensAccepted: try container.decode(forKey: .draftTokensAccepted, default: 0)
        )
    }
}
