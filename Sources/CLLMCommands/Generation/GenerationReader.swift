import CarbocationLocalLLM

/// Runs one generation and follows its events.
///
/// Every event is told first to a meter, which keeps what it saw when the generation fails.
struct GenerationReader {
    let engine: any LLMEngine
    let now: @Sendable () -> Duration

    /// Generates one reply.
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
        return try Self.checked(result)
    }

    /// Generates replies until one calls no tool.
    func run(
        _ request: LLMToolGenerationRequest, meter: inout GenerationMeter,
        onEvent: (LLMToolGenerationStreamEvent) throws -> Void
    ) async throws -> LLMToolPhasedGenerationResult {
        meter = GenerationMeter(start: now())
        var result: LLMToolPhasedGenerationResult?
        for try await event in engine.streamWithTools(request, control: nil) {
            meter.record(event, at: now())
            try onEvent(event)
            if case .completed(let completed) = event { result = completed }
        }
        return try Self.checked(result)
    }

    private static func checked<Result>(_ result: Result?) throws -> Result {
        if let result { return result }
        try Task.checkCancellation()
        throw LLMEngineError.decodeFailed("The generation ended without a result.")
    }
}
