import CarbocationLocalLLM

/// Runs one generation and follows its events.
struct GenerationReader {
    let engine: any LLMEngine
    let now: @Sendable () -> Duration

    /// Generates one reply.
    func run(
        _ request: LLMGenerationRequest, meter: inout GenerationMeter,
        onEvent: (LLMGenerationStreamEvent) throws -> Void = { _ in }
    ) async throws -> LLMGenerationResult {
        try await EventReader(now: now).run(engine.stream(request), meter: &meter, onEvent: onEvent)
    }
}
