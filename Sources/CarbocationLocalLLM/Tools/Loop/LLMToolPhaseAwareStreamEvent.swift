/// What happens during a run with tools, with thinking told from answer.
///
/// The answer's text is in the delta and the snapshot of ``finalAnswerEvent(_:)`` only.
public enum LLMToolPhaseAwareStreamEvent: Sendable {
    /// Something of a reply; a snapshot holds the answer of the whole run so far.
    case finalAnswerEvent(LLMPhaseAwareStreamEvent)
    /// The calls of a reply are answered from here on; rounds count from 1.
    case toolRoundStarted(round: Int)
    /// A call's turn has come.
    case toolCallStarted(LLMToolCall)
    /// A tool answered.
    case toolCallCompleted(LLMToolOutput)
    /// A call was not run, or failed; the output says why.
    case toolCallFailed(LLMToolOutput)
    /// The tokens of all replies, and why the run ended.
    case aggregateGenerationStats(promptTokens: Int, generatedTokens: Int, stopReason: LLMStopReason)
    /// What speculation did in all replies together.
    case aggregateAccelerationStats(LLMGenerationAccelerationStats)
}
