import CarbocationLocalLLM

/// The replies of one run with tools on an engine that keeps its model for it, and the conversation that they make.
actor LlamaToolReplies: ToolReplying {
    private let engine: LlamaEngine
    private let model: LoadedModel
    /// The tokens of the last prompt and its reply.
    private(set) var ledger: [Token]
    /// The conversation up to the last reply.
    private(set) var messages: [LLMChatMessage] = []

    init(engine: LlamaEngine, model: LoadedModel, ledger: [Token]) {
        self.engine = engine
        self.model = model
        self.ledger = ledger
    }

    func reply(
        to request: LLMGenerationRequest, tools: ToolOffer?,
        emit: @escaping @Sendable (LLMGenerationStreamEvent) -> Void
    ) async throws -> ToolReply {
        let message = Locked<LLMChatMessage?>(nil)
        let outcome = try await engine.generate(request, tools: tools, ledger: ledger, on: model) { event in
            if case .completed(let result) = event { message.withLock { $0 = result.assistantMessage } }
            emit(event)
        }
        ledger = outcome.ledger
        messages = request.messages + [message.withLock { $0 }].compactMap(\.self)
        return outcome.toolReply
    }

    func preflight(_ request: LLMGenerationRequest, tools: ToolOffer?) async throws -> LLMGenerationPreflight {
        try await engine.preflight(request, tools: tools, ledger: ledger, on: model)
    }
}
