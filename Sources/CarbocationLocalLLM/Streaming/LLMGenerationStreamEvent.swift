public import Foundation

/// Everything that happens during a generation.
///
/// In this order: `requestSent`; `firstByteReceived` with the first token; phase changes, content, token chunks,
/// logprobs and diagnostics in any mix; `accelerationStats` from engines that have any; `generationStats`; `done`;
/// `completed`. A generation that fails or is cancelled ends with `generationStats`, if its prompt was read, and a
/// thrown error instead of the last two.
public enum LLMGenerationStreamEvent: Sendable {
    /// The request was accepted.
    case requestSent(phase: LLMStreamContentPhase)
    /// The first token was generated, so many seconds after the request.
    case firstByteReceived(after: TimeInterval, phase: LLMStreamContentPhase)
    /// Output from here on belongs to another phase.
    case phaseChanged(from: LLMStreamContentPhase, to: LLMStreamContentPhase)
    /// More raw text, markers included and stop sequences excluded.
    ///
    /// All previews together are the raw text, and `bytesSoFar` its UTF-8 length up to here.
    case tokenChunk(preview: String, bytesSoFar: Int, phase: LLMStreamContentPhase)
    /// More text of a phase, to append to what came before; `bytesSoFar` is the phase's UTF-8 length.
    case contentDelta(phase: LLMStreamContentPhase, text: String, bytesSoFar: Int)
    /// The whole text of a phase, to replace what came before.
    case contentSnapshot(
        phase: LLMStreamContentPhase, text: String, bytesSoFar: Int, reason: LLMGenerationContentSnapshotReason)
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
    /// The generation succeeded; `totalBytes` is the raw text's UTF-8 length, `duration` is in seconds.
    case done(totalBytes: Int, duration: TimeInterval, phase: LLMStreamContentPhase)
    /// The result: always the last event, and only of a success.
    case completed(LLMGenerationResult)
}
