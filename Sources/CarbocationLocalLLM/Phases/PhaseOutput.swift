/// What a reader of phases makes of raw model output.
package enum PhaseOutput: Sendable, Hashable {
    /// The phase from here on; comes before its first text, also when no text follows.
    case entered(LLMStreamContentPhase)
    /// Text of the current phase, never empty and without markers.
    case text(String)
    /// The current segment of the phase is closed; a further block of the same phase is a new segment.
    case segmentEnd
    /// A control token of calls, or of a phase where it means nothing; no part of the text that shows.
    case control(String)
    /// A message that is addressed to a tool and not to the reader.
    case message(HarmonyMessage)
}
