import CarbocationLocalLLM

/// The replies of one turn with tools, and the conversation that they make.
actor SessionToolReplies: ToolReplying {
    private let engine: LlamaEngine
    /// The tokens of the last prompt and its reply.
    private(set) var ledger: [Token]
    /// The conversation up to the last reply.
    private(set) var messages: [LLMChatMessage] = []

    init(engine: LlamaEngine, ledger: [Token]) {
        self.engine = engine
        self.ledger = ledger
    }

    func reply(
        to request: LLMGenerationRequest, tools: ToolOffer?,
        emit: @escaping @Sendable (LLMGenerationStreamEvent) -> Void
    ) async throws -> ToolReply {
        let message = Locked<LLMChatMessage?>(nil)
        let outcome = try await engine.generate(request, tools: tools, ledger: ledger) { event in
            if case .completed(let result) = event { message.withLock { $0 = result.assistantMessage } }
            emit(event)
        }
        ledger = outcome.ledger
        messages = request.messages + [message.withLock { $0 }].compactMap(\.self)
        return outcome.toolReply
    }

    func preflight(_ request: LLMGenerationRequest, tools: ToolOffer?) async throws -> LLMGenerationPreflight {
        try await engine.preflight(request, tools: tools, ledger: ledger)
    }
}
