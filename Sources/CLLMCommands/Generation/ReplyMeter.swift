import CarbocationLocalLLM

/// Times one reply by its events.
struct ReplyMeter: Sendable, Hashable {
    /// A number of tokens and the time that they took.
    struct Work: Sendable, Hashable {
        var tokens: Int
        var time: Duration
    }

    private let start: Duration
    private var firstToken: Duration?
    private var lastToken: Duration?
    private(set) var promptTokens: Int?
    /// Nil unless the reply succeeded.
    private(set) var cachedPromptTokens: Int?
    private(set) var generatedTokens: Int?

    /// - Parameter start: when the reply was asked for.
    init(start: Duration) {
        self.start = start
    }

    /// Whether its figures have come.
    var hasEnded: Bool { generatedTokens != nil }

    mutating func record(_ event: LLMGenerationStreamEvent, at time: Duration) {
        switch event {
        case .firstByteReceived:
            firstToken = time
            lastToken = time
        case .tokenChunk, .contentDelta: lastToken = time
        case .generationStats(let promptTokens, let generatedTokens, _, _, _):
            self.promptTokens = promptTokens
            self.generatedTokens = generatedTokens
        case .completed(let result): cachedPromptTokens = result.cachedPromptTokens
        default: break
        }
    }

    var timeToFirstToken: Duration? { firstToken.map { $0 - start } }

    /// The prompt tokens that were not cached, up to the first token.
    var prefill: Work? {
        guard let promptTokens, let timeToFirstToken else { return nil }
        return Work(tokens: promptTokens - (cachedPromptTokens ?? 0), time: timeToFirstToken)
    }

    /// The tokens after the first one.
    var decode: Work? {
        guard let generatedTokens, let firstToken, let lastToken else { return nil }
        return Work(tokens: max(0, generatedTokens - 1), time: lastToken - firstToken)
    }
}
