import CarbocationLocalLLM

/// Follows the events of a generation and shows them.
struct AnswerReader {
    private let context: CommandContext
    private let reader: EventReader

    init(in context: CommandContext) {
        self.context = context
        reader = EventReader(now: context.environment.now)
    }

    /// Shows one reply.
    func run(
        _ events: LLMGenerationStream, meter: inout GenerationMeter, presenter: inout any AnswerPresenting
    ) async throws -> LLMGenerationResult {
        try await reader.run(events, meter: &meter) { event in
            if case .diagnostic(let message) = event { context.detail(message) }
            try presenter.show(event)
        }
    }

    /// Shows replies until one calls no tool.
    func run(
        _ events: LLMToolGenerationStream, meter: inout GenerationMeter, presenter: inout any AnswerPresenting
    ) async throws -> LLMGenerationResult {
        try await reader.run(events, meter: &meter) { event in
            if case .generationEvent(.diagnostic(let message)) = event { context.detail(message) }
            try presenter.show(event)
        }.generation
    }
}
