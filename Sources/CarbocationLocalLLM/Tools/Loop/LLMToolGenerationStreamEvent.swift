/// Everything that happens during a run with tools.
///
/// The events of each reply come as ``generationEvent(_:)``; between two replies come the calls. After the last reply
/// follow the aggregate statistics and, of a success, ``completed(_:)``.
public enum LLMToolGenerationStreamEvent: Sendable {
    /// Something of a reply, as in ``LLMGenerationStreamEvent``.
    ///
    /// Contents, snapshots and counts of bytes are those of the whole run so far, so that folding them gives the run's
    /// thinking and answer. `completed` has the one reply's result; a `diagnostic` about calls that were lost may follow
    /// it.
    case generationEvent(LLMGenerationStreamEvent)
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
    /// The result: always the last event, and only of a success.
    case completed(LLMToolPhasedGenerationResult)
}

extension LLMToolGenerationStreamEvent {
    /// The event for callers that are shown the answer only; nil for thinking, and for results.
    package var phaseAwareEvent: LLMToolPhaseAwareStreamEvent? {
        switch self {
        case .generationEvent(let event): event.phaseAwareEvent.map { .finalAnswerEvent($0) }
        case .toolRoundStarted(let round): .toolRoundStarted(round: round)
        case .toolCallStarted(let call): .toolCallStarted(call)
        case .toolCallCompleted(let output): .toolCallCompleted(output)
        case .toolCallFailed(let output): .toolCallFailed(output)
        case .aggregateGenerationStats(let promptTokens, let generatedTokens, let stopReason):
            .aggregateGenerationStats(
                promptTokens: promptTokens, generatedTokens: generatedTokens, stopReason: stopReason)
        case .aggregateAccelerationStats(let stats): .aggregateAccelerationStats(stats)
        case .completed: nil
        }
    }
}
