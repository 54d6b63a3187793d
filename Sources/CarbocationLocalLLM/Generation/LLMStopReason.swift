/// Why a generation ended.
///
/// An open set: engines may report values that are not listed here. Encoded as the bare string.
public struct LLMStopReason: RawRepresentable, Codable, Sendable, Hashable, ExpressibleByStringLiteral {
    /// The reason as text.
    public var rawValue: String

    /// Creates a reason from any text.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Creates a reason from a literal.
    public init(stringLiteral value: String) {
        rawValue = value
    }
}

extension LLMStopReason {
    /// The model ended its turn.
    public static let complete: LLMStopReason = "complete"
    /// The set ``GenerationOptions/maxOutputTokens`` was reached; wins a tie with ``contextFull``.
    public static let maxTokens: LLMStopReason = "max-tokens"
    /// The loaded context, less the reserve, was used up.
    public static let contextFull: LLMStopReason = "context-full"
    /// A stop sequence was generated.
    public static let stopSequence: LLMStopReason = "stop-sequence"
    /// A complete JSON value was generated and ``GenerationOptions/stopAtBalancedJSON`` was set.
    public static let jsonComplete: LLMStopReason = "json-complete"
    /// The segment ended in confirmed tool calls.
    public static let toolCallComplete: LLMStopReason = "tool-call-complete"
    /// The generation was cancelled; seen in statistics only, never in a result.
    public static let cancelled: LLMStopReason = "cancelled"
    /// The generation failed while it ran; seen in statistics only, before the error.
    public static let failed: LLMStopReason = "failed"
    /// The tool loop used up its rounds; a tool loop's result only.
    public static let maxToolRounds: LLMStopReason = "max-tool-rounds"
}
