import CarbocationLocalLLM

extension LLMGenerationStreamEvent {
    /// An event that is told from others by its number.
    static func sample(_ number: Int) -> Self {
        .diagnostic(message: String(number))
    }

    /// The statistics of a run that ended so.
    static func stats(_ reason: LLMStopReason) -> Self {
        .generationStats(
            promptTokens: 1, generatedTokens: 2, stopReason: reason, templateMode: .embedded, phase: .final)
    }
}

extension LLMGenerationStream {
    /// The events of one generation, and the error that ended it.
    func recorded() async -> (events: [String], error: (any Error)?) {
        var events: [String] = []
        do {
            for try await event in self { events.append(String(describing: event)) }
            return (events, nil)
        } catch {
            return (events, error)
        }
    }
}

/// The events as text, to compare them.
func texts(_ events: [LLMGenerationStreamEvent]) -> [String] {
    events.map { String(describing: $0) }
}
