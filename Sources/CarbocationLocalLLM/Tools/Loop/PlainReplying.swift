/// A request without tools on an engine that needs to know nothing about them.
struct PlainReplying<Engine: LLMEngine>: ToolReplying {
    let engine: Engine

    func reply(
        to request: LLMGenerationRequest, tools: ToolOffer?,
        emit: @escaping @Sendable (LLMGenerationStreamEvent) -> Void
    ) async throws -> ToolReply {
        for try await event in engine.stream(request) { emit(event) }
        return ToolReply()
    }

    func preflight(_ request: LLMGenerationRequest, tools: ToolOffer?) async throws -> LLMGenerationPreflight {
        try await engine.preflight(request)
    }
}
