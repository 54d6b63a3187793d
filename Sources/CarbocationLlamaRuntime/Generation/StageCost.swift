import CarbocationLocalLLM
package import Foundation

/// What a generation costs beside the model's own work: the way from a sampled token to the events that were read.
package struct StageCost: Sendable, Hashable {
    /// Seconds per token of outputs of one kibibyte.
    package var short: Double
    /// Seconds per token of one output of 64 kibibytes.
    package var long: Double

    package init(short: Double, long: Double) {
        self.short = short
        self.long = long
    }

    /// Measures with the vocabulary of the GGUF file at `url`, with stop sequences, thinking markers and tools to look
    /// for.
    ///
    /// Takes a second or two; cancelling the task ends it early with an error.
    package static func measured(modelAt url: URL) async throws -> StageCost {
        let model = try ModelFile(url: url).openVocabulary()
        guard model.vocabularySize > 0 else { throw LLMEngineError.tokenizationFailed }
        // The first outputs find cold caches.
        _ = try await secondsPerToken(outputs: 16, bytes: 1 << 10, model: model)
        return StageCost(
            short: try await secondsPerToken(outputs: 128, bytes: 1 << 10, model: model),
            long: try await secondsPerToken(outputs: 2, bytes: 64 << 10, model: model))
    }

    private static func secondsPerToken(outputs: Int, bytes: Int, model: NativeModel) async throws -> Double {
        var tokens = 0
        let start = ContinuousClock.now
        for _ in 0..<outputs { tokens += try await output(of: bytes, model: model) }
        return (ContinuousClock.now - start) / .seconds(max(1, tokens))
    }

    /// Reads an output of about that many bytes, and returns its tokens.
    private static func output(of bytes: Int, model: NativeModel) async throws -> Int {
        let count = Locked(0)
        let stream = LLMGenerationStream { emit in
            let run = GenerationRun(
                facts: GenerationRun.Facts(promptTokens: 0, templateMode: .unavailable), reply: format, model: model,
                clock: GenerationClock(), emit: emit)
            var written = 0
            var token: Token = 0
            while written < bytes, !Task.isCancelled {
                token = (token + 31) % Token(model.vocabularySize)
                written += model.withBytes(of: token) { $0.count } + 1
                _ = run.consume(token)
                count.withLock { $0 += 1 }
            }
        }
        for try await _ in stream {}
        return count.withLock { $0 }
    }

    private static let format = ReplyFormat(
        stops: ["<|im_end|>", "<|im_start|>", "\n\nUser:"],
        phases: .markers(
            OutputSanitizationProfile(thinkingPairs: [OutputDelimiterPair(open: "<think>", close: "</think>")]),
            .unknown),
        answer: .tools(
            ToolCallSyntax.detect(template: "<tool_call>", analysis: nil),
            [LLMToolDefinition(name: "now", description: "The time.")]))
}
