/// What a run with tools gave, with thinking and statistics.
public struct LLMToolPhasedGenerationResult: Sendable, Hashable {
    /// All replies together: texts one behind the other, counts summed.
    public var generation: LLMGenerationResult
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
        generation: LLMGenerationResult,
        toolCalls: [LLMToolCall] = [],
        toolOutputs: [LLMToolOutput] = [],
        roundsCompleted: Int = 0,
        stopReason: LLMStopReason = "complete",
        incompleteToolCall: String? = nil
    ) {
        self.generation = generation
        self.toolCalls = toolCalls
        self.toolOutputs = toolOutputs
        self.roundsCompleted = roundsCompleted
        self.stopReason = stopReason
        self.incompleteToolCall = incompleteToolCall
    }

    /// The thinking of all replies, without markers.
    public var thinkingText: String { generation.thinkingText }

    /// The answer: the text of all replies, without calls and thinking.
    public var finalText: String { generation.finalText }

    /// Thinking and answer in the order they came.
    public var phaseSegments: [LLMGenerationPhaseSegment] { generation.phaseSegments }

    /// The result without thinking and statistics.
    package var withoutPhases: LLMToolGenerationResult {
        LLMToolGenerationResult(
            finalText: finalText, toolCalls: toolCalls, toolOutputs: toolOutputs, roundsCompleted: roundsCompleted,
            stopReason: stopReason, incompleteToolCall: incompleteToolCall)
    }
}

extension LLMToolPhasedGenerationResult: Codable {
    private enum CodingKeys: String, CodingKey {
        case generation, toolCalls, toolOutputs, roundsCompleted, stopReason, incompleteToolCall
    }

    /// Decodes a result; missing fields take their defaults.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            generation: try container.decode(forKey: .generation, default: LLMGenerationResult()),
            toolCalls: try container.decode(forKey: .toolCalls, default: []),
            toolOutputs: try container.decode(forKey: .toolOutputs, default: []),
            roundsCompleted: try container.decode(forKey: .roundsCompleted, default: 0),
            stopReason: try container.decode(forKey: .stopReason, default: .complete),
            incompleteToolCall: try container.decodeIfPresent(String.self, forKey: .incompleteToolCall))
    }
}
