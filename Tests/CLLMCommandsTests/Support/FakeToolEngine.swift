import CarbocationLocalLLM
import Foundation

/// An engine whose replies to a run with tools are given; the calls in there really run.
final class FakeToolEngine: LLMEngine, ToolReplying {
    enum Reply: Sendable {
        case answer(FakeAnswer, calls: [LLMToolCall] = [], incompleteCall: String? = nil)
        case failure(any Error)
        /// Says something and then goes on until it is cancelled.
        case endless(started: AsyncStream<Void>.Continuation)
    }

    struct Log: Sendable {
        var replies: [Reply]
        var requests: [LLMGenerationRequest] = []
        var offers: [ToolOffer?] = []
    }

    private let logged: Locked<Log>

    init(_ replies: [Reply]) {
        logged = Locked(Log(replies: replies))
    }

    var log: Log { logged.withLock(\.self) }

    func currentModelID() async -> UUID? { nil }
    func currentContextSize() async -> Int { 4096 }

    func preflight(_ request: LLMGenerationRequest) async throws -> LLMGenerationPreflight {
        LLMGenerationPreflight(
            loadedContextSize: 4096, promptTokens: 7, requestedMaxOutputTokens: request.options.maxOutputTokens,
            usesExactTokenCounts: true)
    }

    func preflight(_ request: LLMGenerationRequest, tools: ToolOffer?) async throws -> LLMGenerationPreflight {
        try await preflight(request)
    }

    func stream(_ request: LLMGenerationRequest) -> LLMGenerationStream {
        LLMGenerationStream { _ in throw LLMEngineError.noModelLoaded }
    }

    func streamWithTools(
        _ request: LLMToolGenerationRequest, control: LLMGenerationControl?
    ) -> LLMToolGenerationStream {
        LLMToolGenerationStream { emit in
            try await ToolLoop(request, control: control).run(on: self, emit: emit)
        }
    }

    func reply(
        to request: LLMGenerationRequest, tools: ToolOffer?,
        emit: @escaping @Sendable (LLMGenerationStreamEvent) -> Void
    ) async throws -> ToolReply {
        let next: Reply? = logged.withLock { log in
            log.requests.append(request)
            log.offers.append(tools)
            return log.replies.isEmpty ? nil : log.replies.removeFirst()
        }
        switch next {
        case nil: throw LLMEngineError.noModelLoaded
        case .failure(let error)?: throw error
        case .endless(let started)?:
            emit(.requestSent(phase: .unknown))
            emit(.contentDelta(phase: .final, text: "so far", bytesSoFar: 6))
            started.yield()
            for await _ in AsyncStream<Void>.makeStream().stream {}
            throw CancellationError()
        case .answer(let answer, let calls, let incompleteCall)?:
            for event in answer.events { emit(event) }
            var reply = ToolReply()
            reply.calls = calls.map { .accepted($0) }
            reply.incompleteCall = incompleteCall
            return reply
        }
    }
}

extension FakeToolEngine.Reply {
    /// A reply that is text.
    static func text(_ pieces: String...) -> Self {
        .answer(FakeAnswer(pieces: pieces))
    }

    /// A reply that is calls.
    static func calls(_ calls: LLMToolCall..., text: [String] = [], thinking: [String] = []) -> Self {
        .answer(FakeAnswer(pieces: text, thinking: thinking, stopReason: "tool-call-complete"), calls: calls)
    }
}

extension LLMToolCall {
    /// A call of `calculate`.
    static func add(_ operands: LLMJSONValue, id: String = "call_1", rawID: String? = nil) -> LLMToolCall {
        LLMToolCall(
            executionID: id, rawID: rawID, name: "calculate",
            arguments: ["operation": "add", "operands": operands], triggerPhase: .final)
    }
}
