import CarbocationLocalLLM

/// The replies of one run with tools on an engine that keeps its model for it.
actor LlamaToolReplies: ToolReplying {
    private let engine: LlamaEngine
    private let model: LoadedModel
    /// The tokens of the last prompt and its reply.
    private var ledger: [Token] = []

    init(engine: LlamaEngine, model: LoadedModel) {
        self.engine = engine
        self.model = model
    }

    func reply(
        to request: LLMGenerationRequest, tools: ToolOffer?,
        emit: @escaping @Sendable (LLMGenerationStreamEvent) -> Void
    ) async throws -> ToolReply {
        let outcome = try await engine.generate(request, tools: tools, ledger: ledger, on: model, emit: emit)
        ledger = outcome.ledger
        return outcome.toolReply
    }

    func preflight(_ request: LLMGenerationRequest, tools: ToolOffer?) async throws -> LLMGenerationPreflight {
        try await engine.preflight(request, tools: tools, ledger: ledger, on: model)
    }
}
