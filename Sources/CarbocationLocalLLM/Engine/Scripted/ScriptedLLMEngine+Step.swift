extension ScriptedLLMEngine {
    /// Something that the engine does in a turn, one after the other.
    public enum Step: Sendable {
        /// Writes a chunk of output, as a model writes a token.
        ///
        /// The text goes through what reads a model's output: stop sequences, balanced JSON and the markers of
        /// ``GenerationOptions/streamPhaseConfiguration``. Without markers all of it is answer. Tool calls are not looked
        /// for in it; use ``toolCall(name:arguments:id:)``.
        case text(String)

        /// Writes a chunk of thinking, without any markers around it.
        ///
        /// Chunks that follow each other are one block of thinking; the next chunk of text ends it. When the thinking
        /// is ended by ``GenerationOptions/thinkingBudgetTokens``, which counts with
        /// ``GenerationOptions/enableThinking``, or by ``LLMGenerationControl/requestThinkingTermination(message:)``,
        /// the message of that is written, the rest of the block is skipped, and the turn goes on behind it.
        case thinking(String)

        /// Calls a tool.
        ///
        /// Calls that follow each other are answered together, and the turn ends with them: what comes behind them is
        /// not written. Name and arguments are checked as those of a model are, so a script can make mistakes on
        /// purpose. Without an id the call gets a new one. A generation that offers no tools leaves the call out, and
        /// says so in a ``LLMGenerationStreamEvent/diagnostic(message:)``.
        case toolCall(name: String, arguments: LLMJSONValue, id: String? = nil)

        /// Waits, on the clock of the engine; a cancellation ends the wait.
        case delay(Duration)

        /// Ends the turn with a reason other than ``LLMStopReason/complete``, as a limit of the model would.
        ///
        /// After tool calls the reason is ``LLMStopReason/toolCallComplete`` all the same.
        case stop(LLMStopReason)

        /// Fails the generation with an error, which reaches the caller as it is.
        ///
        /// Text before it is delivered, and so are statistics with ``LLMStopReason/failed``.
        case fail(any Error)
    }
}
