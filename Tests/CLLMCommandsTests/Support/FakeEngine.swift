import CarbocationLocalLLM
import Foundation

/// An engine that sends given events and counts tokens as words.
final class FakeEngine: LLMEngine {
    typealias Emit = @Sendable (LLMGenerationStreamEvent) -> Void
    typealias Behaviour = @Sendable (LLMGenerationRequest, @escaping Emit) async throws -> Void

    private let behaviour: Behaviour
    private let contextSize: Int
    private let received = Locked<[LLMGenerationRequest]>([])

    init(contextSize: Int = 4096, _ behaviour: @escaping Behaviour) {
        self.contextSize = contextSize
        self.behaviour = behaviour
    }

    /// The requests so far, in order.
    var requests: [LLMGenerationRequest] { received.withLock(\.self) }

    func currentModelID() async -> UUID? { nil }
    func currentContextSize() async -> Int { contextSize }

    func preflight(_ request: LLMGenerationRequest) async throws -> LLMGenerationPreflight {
        let words = request.messages.map { $0.content.split(whereSeparator: \.isWhitespace).count }.reduce(0, +)
        return LLMGenerationPreflight(
            loadedContextSize: contextSize, promptTokens: words,
            requestedMaxOutputTokens: request.options.maxOutputTokens, usesExactTokenCounts: true)
    }

    func stream(_ request: LLMGenerationRequest) -> LLMGenerationStream {
        LLMGenerationStream { [behaviour, received] emit in
            received.withLock { $0.append(request) }
            try await behaviour(request, emit)
        }
    }
}

extension FakeEngine {
    /// Answers every request with `thinking` and then `pieces`.
    static func answering(
        _ pieces: [String], thinking: [String] = [], stopReason: LLMStopReason = "complete", seed: UInt32? = nil
    ) -> FakeEngine {
        FakeEngine { _, emit in
            let answer = FakeAnswer(pieces: pieces, thinking: thinking, stopReason: stopReason, seed: seed)
            for event in answer.events { emit(event) }
        }
    }
}

/// The events of one successful generation.
struct FakeAnswer {
    var pieces: [String]
    var thinking: [String] = []
    var stopReason: LLMStopReason = "complete"
    var seed: UInt32?
    var promptTokens = 7
    var cachedPromptTokens = 2

    var result: LLMGenerationResult {
        LLMGenerationResult(
            thinkingText: thinking.joined(), finalText: pieces.joined(), stopReason: stopReason,
            promptTokens: promptTokens, cachedPromptTokens: cachedPromptTokens,
            generatedTokens: pieces.count + thinking.count, templateMode: .embedded, seed: seed)
    }

    var events: [LLMGenerationStreamEvent] {
        let first: LLMStreamContentPhase = thinking.isEmpty ? .final : .thinking
        var events: [LLMGenerationStreamEvent] = [
            .requestSent(phase: .unknown), .firstByteReceived(after: 0.25, phase: first),
            .phaseChanged(from: .unknown, to: first),
        ]
        events += thinking.map { .contentDelta(phase: .thinking, text: $0, bytesSoFar: 0) }
        if !thinking.isEmpty { events.append(.phaseChanged(from: .thinking, to: .final)) }
        events += pieces.map { .contentDelta(phase: .final, text: $0, bytesSoFar: 0) }
        return events + [
            .generationStats(
                promptTokens: result.promptTokens, generatedTokens: result.generatedTokens, stopReason: stopReason,
                templateMode: .embedded, phase: .final),
            .done(totalBytes: result.finalText.utf8.count, duration: 1, phase: .final),
            .completed(result),
        ]
    }
}
