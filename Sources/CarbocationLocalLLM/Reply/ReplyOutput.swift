/// What reading the raw output of a generation gives, in order.
package enum ReplyOutput: Sendable, Hashable {
    /// Raw text, markers included.
    case raw(String)
    /// The phase from here on.
    case entered(LLMStreamContentPhase)
    /// Text of a phase, without markers.
    case content(String, LLMStreamContentPhase)
    /// The whole text of a phase becomes this.
    case replaced(String, LLMStreamContentPhase)
    /// Further text of the phase is another segment.
    case segmentEnd(LLMStreamContentPhase)
    /// The answer began, with what the output has of it; a grammar that waited for it applies from here on.
    case answerBegan(with: String)
    case call(LLMToolCall)
    case rejected(RejectedToolCall)
}
