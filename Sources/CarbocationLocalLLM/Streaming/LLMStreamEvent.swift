public import Foundation

/// What happens during a generation, for callers that only show progress.
///
/// See ``LLMGenerationStreamEvent`` for the full set, from which this one is derived.
public enum LLMStreamEvent: Sendable {
    /// The request was accepted.
    case requestSent
    /// The first token was generated, so many seconds after the request.
    case firstByteReceived(after: TimeInterval)
    /// More raw text; `bytesSoFar` is the UTF-8 length of all of it.
    case tokenChunk(preview: String, bytesSoFar: Int)
    /// The run ended, and how.
    case generationStats(
        promptTokens: Int, generatedTokens: Int, stopReason: LLMStopReason, templateMode: LLMChatTemplateMode)
    /// The generation succeeded; `duration` is in seconds.
    case done(totalBytes: Int, duration: TimeInterval)
}
