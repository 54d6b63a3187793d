import CarbocationLocalLLM

/// Follows the events of a generation.
///
/// Every event is told first to a meter, which keeps what it saw when the generation fails.
struct EventReader {
    let now: @Sendable () -> Duration

    /// Reads one reply.
    func run(
        _ events: LLMGenerationStream, meter: inout GenerationMeter,
        onEvent: (LLMGenerationStreamEvent) throws -> Void
    ) async throws -> LLMGenerationResult {
        meter = GenerationMeter(start: now())
        var result: LLMGenerationResult?
        for try await event in events {
            meter.record(event, at: now())
            try onEvent(event)
            if case .completed(let completed) = event { result = completed }
        }
        return try Self.checked(result)
    }

    /// Reads replies until one calls no tool.
    func run(
        _ events: LLMToolGenerationStream, meter: inout GenerationMeter,
        onEvent: (LLMToolGenerationStreamEvent) throws -> Void
    ) async throws -> LLMToolPhasedGenerationResult {
        meter = GenerationMeter(start: now())
        var result: LLMToolPhasedGenerationResult?
        for try await event in events {
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
