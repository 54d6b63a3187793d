// Each form exists with `messages` and with `system` and `prompt`. All of them run `stream` in the caller's task, so
// closures are called in order, one at a time, and never after the call returned or threw.

extension LLMEngine {
    /// Says whether a system text and a prompt fit, see ``preflight(_:)``.
    public func preflight(
        system: String,
        prompt: String,
        options: GenerationOptions = GenerationOptions()
    ) async throws -> LLMGenerationPreflight {
        try await preflight(LLMGenerationRequest(system: system, prompt: prompt, options: options))
    }

    /// Says whether a conversation fits, see ``preflight(_:)``.
    public func preflight(
        messages: [LLMChatMessage],
        options: GenerationOptions = GenerationOptions()
    ) async throws -> LLMGenerationPreflight {
        try await preflight(LLMGenerationRequest(messages: messages, options: options))
    }

    /// Generates and returns the answer's text, without thinking.
    ///
    /// Cancelling the task cancels the generation and throws `CancellationError`.
    public func generate(
        system: String,
        prompt: String,
        options: GenerationOptions = GenerationOptions(),
        control: LLMGenerationControl? = nil,
        onEvent: @escaping @Sendable (LLMStreamEvent) -> Void
    ) async throws -> String {
        let request = LLMGenerationRequest(system: system, prompt: prompt, options: options, control: control)
        return try await finalText(of: request, onEvent: onEvent)
    }

    /// Continues a conversation and returns the answer's text, without thinking.
    ///
    /// Cancelling the task cancels the generation and throws `CancellationError`.
    public func generate(
        messages: [LLMChatMessage],
        options: GenerationOptions = GenerationOptions(),
        control: LLMGenerationControl? = nil,
        onEvent: @escaping @Sendable (LLMStreamEvent) -> Void
    ) async throws -> String {
        let request = LLMGenerationRequest(messages: messages, options: options, control: control)
        return try await finalText(of: request, onEvent: onEvent)
    }

    /// Generates and returns the answer's text, with events that tell thinking from answer.
    ///
    /// Chosen by the label; a bare trailing closure selects the `onEvent` form, which is why an unnamed last
    /// parameter follows the closure here.
    public func generate(
        system: String,
        prompt: String,
        options: GenerationOptions = GenerationOptions(),
        control: LLMGenerationControl? = nil,
        onPhaseAwareEvent: @escaping @Sendable (LLMPhaseAwareStreamEvent) -> Void,
        _: Void = ()
    ) async throws -> String {
        let request = LLMGenerationRequest(system: system, prompt: prompt, options: options, control: control)
        return try await finalText(of: request, onPhaseAwareEvent: onPhaseAwareEvent)
    }

    /// Continues a conversation and returns the answer's text, with events that tell thinking from answer.
    ///
    /// Chosen by the label; a bare trailing closure selects the `onEvent` form, which is why an unnamed last
    /// parameter follows the closure here.
    public func generate(
        messages: [LLMChatMessage],
        options: GenerationOptions = GenerationOptions(),
        control: LLMGenerationControl? = nil,
        onPhaseAwareEvent: @escaping @Sendable (LLMPhaseAwareStreamEvent) -> Void,
        _: Void = ()
    ) async throws -> String {
        let request = LLMGenerationRequest(messages: messages, options: options, control: control)
        return try await finalText(of: request, onPhaseAwareEvent: onPhaseAwareEvent)
    }

    /// Generates and returns thinking, answer and statistics.
    ///
    /// Cancelling the task cancels the generation and throws `CancellationError`.
    public func generatePhased(
        system: String,
        prompt: String,
        options: GenerationOptions = GenerationOptions(),
        control: LLMGenerationControl? = nil,
        onEvent: @escaping @Sendable (LLMGenerationStreamEvent) -> Void = { _ in }
    ) async throws -> LLMGenerationResult {
        let request = LLMGenerationRequest(system: system, prompt: prompt, options: options, control: control)
        return try await stream(request).result(onEvent: onEvent)
    }

    /// Continues a conversation and returns thinking, answer and statistics.
    ///
    /// Cancelling the task cancels the generation and throws `CancellationError`.
    public func generatePhased(
        messages: [LLMChatMessage],
        options: GenerationOptions = GenerationOptions(),
        control: LLMGenerationControl? = nil,
        onEvent: @escaping @Sendable (LLMGenerationStreamEvent) -> Void = { _ in }
    ) async throws -> LLMGenerationResult {
        let request = LLMGenerationRequest(messages: messages, options: options, control: control)
        return try await stream(request).result(onEvent: onEvent)
    }

    private func finalText(
        of request: LLMGenerationRequest,
        onEvent: @Sendable (LLMStreamEvent) -> Void
    ) async throws -> String {
        try await finalText(
            of: request,
            onPhaseAwareEvent: { event in
                if let event = event.streamEvent { onEvent(event) }
            }
        )
    }

    private func finalText(
        of request: LLMGenerationRequest,
        onPhaseAwareEvent: @Sendable (LLMPhaseAwareStreamEvent) -> Void
    ) async throws -> String {
        let result = try await stream(request).result { event in
            if let event = event.phaseAwareEvent { onPhaseAwareEvent(event) }
        }
        return result.finalText
    }
}
