/// What a run with tools gave.
public struct LLMToolGenerationResult: Sendable, Hashable {
    /// The answer: the text of all replies, without calls and thinking.
    public var finalText: String
    /// All calls, in the order in which the model made them.
    public var toolCalls: [LLMToolCall]
    /// Their outputs, in the same order.
    public var toolOutputs: [LLMToolOutput]
    /// How many times calls were answered and the reply continued.
    public var roundsCompleted: Int
    /// Why the last reply ended, or that the limit of rounds was reached.
    public var stopReason: LLMStopReason
    /// The text of a call that the end of the run cut off; nothing of it ran.
    public var incompleteToolCall: String?

    /// Creates a result.
    public init(
        finalText: String,
        toolCalls: [LLMToolCall] = [],
        toolOutputs: [LLMToolOutput] = [],
        roundsCompleted: Int = 0,
        stopReason: LLMStopReason = "complete",
        incompleteToolCall: String? = nil
    ) {
        self.finalText = finalText
        self.toolCalls = toolCalls
        self.toolOutputs = toolOutputs
        self.roundsCompleted = roundsCompleted
        self.stopReason = stopReason
        self.incompleteToolCall = incompleteToolCall
    }
}

extension LLMToolGenerationResult: Codable {
    private enum CodingKeys: String, CodingKey {
        case finalText, toolCalls, toolOutputs, roundsCompleted, stopReason, incompleteToolCall
    }

    /// Decodes a result; missing fields take their defaults.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            finalText: try container.decode(forKey: .finalText, default: ""),
            toolCalls: try container.decode(forKey: .toolCalls, default: []),
            toolOutputs: try container.decode(forKey: .toolOutputs, default: []),
            roundsCompleted: try container.decode(forKey: .roundsCompleted, default: 0),
            stopReason: try container.decode(forKey: .stopReason, default: .complete),
            incompleteToolCall: try container.decodeIfPresent(String.self, forKey: .incompleteToolCall))
    }
}
