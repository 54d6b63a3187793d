extension ScriptedLLMEngine {
    /// A stream that runs with tools, a turn of the script for each reply, when it is iterated.
    ///
    /// The calls are the ``Step/toolCall(name:arguments:id:)`` steps. Timeouts of tools are measured by the engine's
    /// clock.
    ///
    /// - Parameters:
    ///   - request: The conversation and the tools.
    ///   - control: A handle to end the thinking, valid during the whole run.
    /// - Returns: The run. It throws ``LLMToolError`` for tools that cannot be used, and what ``stream(_:)`` throws.
    public nonisolated func streamWithTools(
        _ request: LLMToolGenerationRequest, control: LLMGenerationControl?
    ) -> LLMToolGenerationStream {
        LLMToolGenerationStream { emit in
            try await ToolLoop(request, control: control, clock: self.clock).run(on: self, emit: emit)
        }
    }
}

extension ScriptedLLMEngine: ToolReplying {
    /// Takes a turn of the script for a reply that may call tools.
    package nonisolated func reply(
        to request: LLMGenerationRequest, tools: ToolOffer?,
        emit: @escaping @Sendable (LLMGenerationStreamEvent) -> Void
    ) async throws -> ToolReply {
        try await generate(request, tools: tools, emit: emit)
    }

    /// Says whether a request fits; the definitions of the tools count nothing.
    package func preflight(_ request: LLMGenerationRequest, tools: ToolOffer?) throws -> LLMGenerationPreflight {
        try preflight(request)
    }
}
