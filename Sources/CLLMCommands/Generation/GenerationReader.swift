import CarbocationLocalLLM

/// Runs one generation and follows its events.
struct GenerationReader {
    let engine: any LLMEngine
    let now: @Sendable () -> Duration

    /// Generates, telling every event first to `meter`, which keeps what it saw when the generation fails.
    func run(
        _ request: LLMGenerationRequest, meter: inout GenerationMeter,
        onEvent: (LLMGenerationStreamEvent) throws -> Void = { _ in }
    ) async throws -> LLMGenerationResult {
        meter = GenerationMeter(start: now())
        var result: LLMGenerationResult?
        for try await event in engine.stream(request) {
            meter.record(event, at: now())
            try onEvent(event)
            if case .completed(let completed) = event { result = completed }
        }
        if let result { return result }
        try Task.checkCancellation()
        throw LLMEngineError.decodeFailed("The generation ended without a result.")
    }
}
