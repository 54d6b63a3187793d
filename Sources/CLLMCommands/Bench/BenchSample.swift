import CarbocationLocalLLM

/// One measurement.
struct BenchSample: Sendable, Hashable {
    let promptTokens: Int
    let cachedPromptTokens: Int
    let generatedTokens: Int
    let stopReason: LLMStopReason
    let timeToFirstToken: Duration?
    /// Prompt tokens per second until the first token of output.
    let prefillRate: Double?
    /// Tokens per second from the first to the last token of output.
    let decodeRate: Double?

    init(meter: GenerationMeter, result: LLMGenerationResult) {
        promptTokens = result.promptTokens
        cachedPromptTokens = result.cachedPromptTokens
        generatedTokens = result.generatedTokens
        stopReason = result.stopReason
        timeToFirstToken = meter.timeToFirstToken
        prefillRate = meter.prefillRate
        decodeRate = meter.decodeRate
    }

    var json: LLMJSONValue {
        [
            "promptTokens": .int(Int64(promptTokens)),
            "cachedPromptTokens": .int(Int64(cachedPromptTokens)),
            "generatedTokens": .int(Int64(generatedTokens)),
            "stopReason": .string(stopReason.rawValue),
            "timeToFirstTokenMilliseconds": timeToFirstToken.map { .double($0 / .milliseconds(1)) } ?? .null,
            "prefillTokensPerSecond": prefillRate.map { .double($0) } ?? .null,
            "decodeTokensPerSecond": decodeRate.map { .double($0) } ?? .null,
        ]
    }
}
