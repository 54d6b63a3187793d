import CarbocationLocalLLM
package import Foundation

/// What a generation costs beside the model's own work.
package enum StageCost {
    /// Seconds per token for the way from a sampled token to the events that a consumer has read.
    ///
    /// Takes the vocabulary of the GGUF file at `url` and walks through it, with stop sequences to look for. Takes a
    /// second or two; cancelling the task ends it early with an error.
    package static func secondsPerToken(modelAt url: URL, tokens count: Int = 100_000) async throws -> Double {
        let model = try ModelFile(url: url).openVocabulary()
        guard model.vocabularySize > 0 else { throw LLMEngineError.tokenizationFailed }
        let stream = LLMGenerationStream { emit in
            let run = GenerationRun(
                facts: GenerationRun.Facts(promptTokens: 0, templateMode: .unavailable),
                reply: ReplyFormat(stops: ["<|im_end|>", "<|im_start|>", "\n\nUser:"]), model: model,
                clock: GenerationClock(), emit: emit)
            for index in 0..<count where !Task.isCancelled {
                _ = run.consume(Token(index * 31 % model.vocabularySize))
            }
        }
        let start = ContinuousClock.now
        for try await _ in stream {}
        return (ContinuousClock.now - start) / .seconds(count)
    }
}
