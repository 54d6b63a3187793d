/// What a run with tools needs of an engine: replies to a conversation that grows.
///
/// One value serves one run; it may keep what helps the next reply, such as the tokens of the last one.
package protocol ToolReplying: Sendable {
    /// Generates one reply.
    ///
    /// - Parameters:
    ///   - request: The conversation so far and how to continue it.
    ///   - tools: What is offered; nil for plain text.
    ///   - emit: Receives the events of one generation, `completed` included; the text of calls is in none of their
    ///     contents.
    /// - Returns: The calls of the reply.
    /// - Throws: What generations throw, and ``LLMToolError``; `CancellationError` soon after the task is cancelled.
    func reply(
        to request: LLMGenerationRequest, tools: ToolOffer?,
        emit: @escaping @Sendable (LLMGenerationStreamEvent) -> Void
    ) async throws -> ToolReply

    /// Says whether a request with these tools fits; generates nothing.
    func preflight(_ request: LLMGenerationRequest, tools: ToolOffer?) async throws -> LLMGenerationPreflight
}
