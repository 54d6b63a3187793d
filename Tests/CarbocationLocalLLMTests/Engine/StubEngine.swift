import CarbocationLocalLLM
import Foundation

/// An engine that answers every request with the text of its last message, after a little thinking.
struct StubEngine: LLMEngine {
    /// Whether the generation waits for its cancellation before it ends.
    var waitsForCancellation = false
    /// The requests that were generated for.
    let requests = Locked<[LLMGenerationRequest]>([])

    func currentModelID() async -> UUID? { nil }

    func currentContextSize() async -> Int { 4096 }

    func preflight(_ request: LLMGenerationRequest) async throws -> LLMGenerationPreflight {
        LLMGenerationPreflight(
            loadedContextSize: 4096,
            promptTokens: request.messages.reduce(0) { $0 + TokenEstimator.estimate($1.content) },
            requestedMaxOutputTokens: request.options.maxOutputTokens,
            usesExactTokenCounts: false
        )
    }

    func stream(_ request: LLMGenerationRequest) -> LLMGenerationStream {
        LLMGenerationStream { [self] emit in
            requests.withLock { $0.append(request) }
            try await generate(request, emit: emit)
        }
    }

    private func generate(
        _ request: LLMGenerationRequest,
        emit: @Sendable (LLMGenerationStreamEvent) -> Void
    ) async throws {
        var accumulator = GenerationAccumulator()
        accumulator.begin(emit: emit)
        accumulator.countToken(after: 0, emit: emit)
        accumulator.appendContent("hm", to: .thinking, emit: emit)
        for character in request.messages.last?.content ?? "" {
            accumulator.countToken(after: 0, emit: emit)
            accumulator.append(String(character), emit: emit)
        }
        if waitsForCancellation {
            await Gate.passOnCancellation()
            accumulator.interrupt(promptTokens: 1, emit: emit)
            throw CancellationError()
        }
        accumulator.complete(.init(stopReason: .complete, promptTokens: 1, duration: 0), emit: emit)
    }
}
