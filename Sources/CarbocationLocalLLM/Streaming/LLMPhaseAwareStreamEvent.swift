public import Foundation

/// What happens during a generation, with thinking told from answer.
///
/// The answer's text is in ``finalAnswerDelta(text:bytesSoFar:)`` and
/// ``finalAnswerSnapshot(text:bytesSoFar:reason:)`` only; `tokenChunk` also previews thinking and markers.
public enum LLMPhaseAwareStreamEvent: Sendable {
    /// The request was accepted.
    case requestSent(phase: LLMStreamContentPhase)
    /// The first token was generated, so many seconds after the request.
    case firstByteReceived(after: TimeInterval, phase: LLMStreamContentPhase)
    /// Output from here on belongs to another phase.
    case phaseChanged(from: LLMStreamContentPhase, to: LLMStreamContentPhase)
    /// More raw text; `bytesSoFar` is the UTF-8 length of all of it.
    case tokenChunk(preview: String, bytesSoFar: Int, phase: LLMStreamContentPhase)
    /// More of the answer, to append; `bytesSoFar` is the answer's UTF-8 length.
    case finalAnswerDelta(text: String, bytesSoFar: Int)
    /// The whole answer, to replace what came before.
    case finalAnswerSnapshot(text: String, bytesSoFar: Int, reason: LLMFinalAnswerSnapshotReason)
    /// The run ended, and how.
    case generationStats(
        promptTokens: Int, generatedTokens: Int, stopReason: LLMStopReason, templateMode: LLMChatTemplateMode,
        phase: LLMStreamContentPhase)
    /// How likely the last content token and its alternatives were.
    case tokenLogprobs(LLMTokenLogprobs)
    /// What speculation did.
    case accelerationStats(LLMGenerationAccelerationStats)
    /// Something worth knowing about the run, with counts only.
    case diagnostic(message: String)
    /// The generation succeeded; `duration` is in seconds.
    case done(totalBytes: Int, duration: TimeInterval, phase: LLMStreamContentPhase)

    /// The event without its phase; nil for events that only exist with phases.
    public var streamEvent: LLMStreamEvent? {
        switch self {
        case .requestSent:
            .requestSent
        case .firstByteReceived(let after, _):
            .firstByteReceived(after: after)
        case .tokenChunk(let preview, let bytesSoFar, _):
            .tokenChunk(preview: preview, bytesSoFar: bytesSoFar)
        case .generationStats(let promptTokens, let generatedTokens, let stopReason, let templateMode, _):
            .generationStats(
                promptTokens: promptTokens, generatedTokens: generatedTokens, stopReason: stopReason,
                templateMode: templateMode)
        case .done(let totalBytes, let duration, _):
            .done(totalBytes: totalBytes, duration: duration)
        case .phaseChanged, .finalAnswerDelta, .finalAnswerSnapshot, .tokenLogprobs, .accelerationStats, .diagnostic:
            nil
        }
    }
}
