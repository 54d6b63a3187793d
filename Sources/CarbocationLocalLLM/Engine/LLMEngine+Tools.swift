extension LLMEngine {
    /// A stream that generates with tools when it is iterated.
    ///
    /// For engines that cannot use tools: a request without tools, or with the choice of none, is a plain generation;
    /// any other throws ``LLMToolError/unsupportedToolMode(_:)``.
    public func streamWithTools(
        _ request: LLMToolGenerationRequest, control: LLMGenerationControl?
    ) -> LLMToolGenerationStream {
        LLMToolGenerationStream { emit in
            let loop = try ToolLoop(request, control: control)
            guard loop.isPlain else {
                throw LLMToolError.unsupportedToolMode(
                    "This engine cannot use tools. Send the request without tools, or use another engine.")
            }
            try await loop.run(on: PlainReplying(engine: self), emit: emit)
        }
    }

    /// Generates with tools and returns the answer's text, without thinking, and the calls.
    ///
    /// - Parameters:
    ///   - request: The conversation and the tools.
    ///   - control: A handle to end the thinking, valid during the whole run.
    ///   - onPhaseAwareEvent: Called in this task, in order, never after this returned or threw.
    /// - Returns: The answer and the calls with their outputs.
    /// - Throws: ``LLMToolError`` before any work of the model, and what generations throw; `CancellationError` when
    ///   this task or a tool was cancelled.
    public func generateWithTools(
        _ request: LLMToolGenerationRequest, control: LLMGenerationControl? = nil,
        onPhaseAwareEvent: @escaping @Sendable (LLMToolPhaseAwareStreamEvent) -> Void = { _ in }
    ) async throws -> LLMToolGenerationResult {
        let result = try await streamWithTools(request, control: control).result { event in
            if let event = event.phaseAwareEvent { onPhaseAwareEvent(event) }
        }
        return result.withoutPhases
    }

    /// Generates with tools and returns thinking, answer, calls and statistics.
    ///
    /// - Parameters:
    ///   - request: The conversation and the tools.
    ///   - control: A handle to end the thinking, valid during the whole run.
    ///   - onEvent: Called in this task, in order, never after this returned or threw.
    /// - Returns: Thinking, answer, statistics, and the calls with their outputs.
    /// - Throws: As ``generateWithTools(_:control:onPhaseAwareEvent:)``.
    public func generateWithToolsPhased(
        _ request: LLMToolGenerationRequest, control: LLMGenerationControl? = nil,
        onEvent: @escaping @Sendable (LLMToolGenerationStreamEvent) -> Void = { _ in }
    ) async throws -> LLMToolPhasedGenerationResult {
        try await streamWithTools(request, control: control).result(onEvent: onEvent)
    }
}
