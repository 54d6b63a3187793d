import CarbocationLocalLLM

/// Shows a generation as it happens.
protocol AnswerPresenting {
    mutating func show(_ event: LLMGenerationStreamEvent) throws

    /// Shows an event of a generation with tools.
    mutating func show(_ event: LLMToolGenerationStreamEvent) throws

    /// Ends what was shown, after success or failure.
    mutating func finish() throws

    /// Shows why there is no, or no whole, answer; stderr gets the reason anyway.
    mutating func fail(_ report: FailureReport) throws
}
