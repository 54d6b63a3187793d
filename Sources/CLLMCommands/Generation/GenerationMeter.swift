import CarbocationLocalLLM

/// Times a generation by its events.
struct GenerationMeter: Sendable, Hashable {
    private let start: Duration
    private var firstToken: Duration?
    private var lastToken: Duration?
    private(set) var promptTokens: Int?
    /// How much of the prompt the engine did not compute again; nil unless the generation succeeded.
    private(set) var cachedPromptTokens: Int?
    private(set) var generatedTokens: Int?
    private(set) var stopReason: LLMStopReason?
    private(set) var acceleration: LLMGenerationAccelerationStats?

    /// - Parameter start: when the request was made.
    init(start: Duration) {
        self.start = start
    }

    /// Takes note of an event that arrived at `time`.
    mutating func record(_ event: LLMGenerationStreamEvent, at time: Duration) {
        switch event {
        case .firstByteReceived:
            firstToken = time
            lastToken = time
        case .tokenChunk, .contentDelta: lastToken = time
        case .generationStats(let promptTokens, let generatedTokens, let stopReason, _, _):
            self.promptTokens = promptTokens
            self.generatedTokens = generatedTokens
            self.stopReason = stopReason
        case .accelerationStats(let stats): acceleration = stats
        case .completed(let result): cachedPromptTokens = result.cachedPromptTokens
        default: break
        }
    }

    /// From the request to the first token.
    var timeToFirstToken: Duration? { firstToken.map { $0 - start } }

    /// Prompt tokens per second, of those that were not cached.
    var prefillRate: Double? {
        guard let promptTokens, let timeToFirstToken else { return nil }
        return Self.rate(promptTokens - (cachedPromptTokens ?? 0), in: timeToFirstToken)
    }

    /// Tokens per second after the first one.
    var decodeRate: Double? {
        guard let generatedTokens, let firstToken, let lastToken else { return nil }
        return Self.rate(generatedTokens - 1, in: lastToken - firstToken)
    }

    private static func rate(_ count: Int, in time: Duration) -> Double? {
        count > 0 && time > .zero ? Double(count) / (time / .seconds(1)) : nil
    }
}
