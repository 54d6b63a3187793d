/// What the gate makes of the text of a turn.
package enum ToolGateOutput: Sendable, Hashable {
    /// Text of a phase without calls, never empty.
    case text(String, LLMStreamContentPhase)
    /// Further text of the phase is another segment.
    case segmentEnd(LLMStreamContentPhase)
    /// A call of a declared tool with arguments that fit it.
    case call(LLMToolCall)
    /// A call that cannot run.
    case rejected(RejectedToolCall)
}
