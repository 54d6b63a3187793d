import CarbocationLocalLLM

/// Times a generation by its events, also one of several replies with calls of tools between them.
struct GenerationMeter: Sendable, Hashable {
    private var replies: [ReplyMeter]
    private(set) var stopReason: LLMStopReason?
    private(set) var acceleration: LLMGenerationAccelerationStats?

    /// - Parameter start: when the request was made.
    init(start: Duration) {
        replies = [ReplyMeter(start: start)]
    }

    /// Takes note of an event that arrived at `time`.
    mutating func record(_ event: LLMGenerationStreamEvent, at time: Duration) {
        switch event {
        case .requestSent:
            if let last = replies.last, last.hasEnded { replies.append(ReplyMeter(start: time)) }
        case .generationStats(_, _, let stopReason, _, _): self.stopReason = stopReason
        case .accelerationStats(let stats):
            if acceleration?.merge(stats) == nil { acceleration = stats }
        default: break
        }
        replies[replies.count - 1].record(event, at: time)
    }

    /// Takes note of an event of a run with tools.
    mutating func record(_ event: LLMToolGenerationStreamEvent, at time: Duration) {
        switch event {
        case .generationEvent(let event): record(event, at: time)
        case .aggregateGenerationStats(_, _, let stopReason): self.stopReason = stopReason
        case .toolRoundStarted, .toolCallStarted, .toolCallCompleted, .toolCallFailed, .aggregateAccelerationStats,
            .completed:
            break
        }
    }

    var promptTokens: Int? { sum(\.promptTokens) }

    /// How much of the prompts the engine did not compute again; nil unless a reply succeeded.
    var cachedPromptTokens: Int? { sum(\.cachedPromptTokens) }

    var generatedTokens: Int? { sum(\.generatedTokens) }

    /// From the request to the first token.
    var timeToFirstToken: Duration? { replies.first?.timeToFirstToken }

    /// Prompt tokens per second, of those that were not cached.
    var prefillRate: Double? { Self.rate(replies.compactMap(\.prefill)) }

    /// Tokens per second after the first one of each reply.
    var decodeRate: Double? { Self.rate(replies.compactMap(\.decode)) }

    private func sum(_ count: KeyPath<ReplyMeter, Int?>) -> Int? {
        let counts = replies.compactMap { $0[keyPath: count] }
        return counts.isEmpty ? nil : counts.reduce(0, +)
    }

    private static func rate(_ works: [ReplyMeter.Work]) -> Double? {
        let count = works.map(\.tokens).reduce(0, +)
        let time = works.map(\.time).reduce(.zero, +)
        return count > 0 && time > .zero ? Double(count) / (time / .seconds(1)) : nil
    }
}
