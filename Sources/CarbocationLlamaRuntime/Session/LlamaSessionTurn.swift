package import CarbocationLocalLLM

/// A turn of a session while it runs: its messages enter the transcript together, or not at all.
package actor LlamaSessionTurn {
    private let engine: LlamaEngine
    /// The whole conversation, that of the turn included.
    package private(set) var messages: [LLMChatMessage]
    private(set) var ledger: [Token]

    init(engine: LlamaEngine, messages: [LLMChatMessage], ledger: [Token]) {
        self.engine = engine
        self.messages = messages
        self.ledger = ledger
    }

    /// Adds a message to the conversation, such as the model's reply or the output of a tool.
    package func append(_ message: LLMChatMessage) {
        messages.append(message)
    }

    /// Runs a request with tools behind the messages so far; its replies, calls and outputs become those of the turn.
    func run(
        _ request: LLMToolGenerationRequest, control: LLMGenerationControl?, emit: @escaping ToolLoop.Emit
    ) async throws {
        var request = request
        request.messages = messages
        let loop = try ToolLoop(request, control: control)
        (messages, ledger) = try await engine.run(loop, validating: request, ledger: ledger, emit: emit)
    }

    /// Generates one reply to the messages so far, without adding it to them.
    ///
    /// - Parameters:
    ///   - options: How to generate.
    ///   - tools: The tools that may be called; nil for plain text.
    ///   - control: Steers the generation from outside.
    ///   - emit: Receives the events.
    /// - Returns: The calls of the reply.
    /// - Throws: What generations throw, and `LLMToolError`.
    package func reply(
        options: GenerationOptions, tools: ToolOffer? = nil, control: LLMGenerationControl? = nil,
        emit: @escaping @Sendable (LLMGenerationStreamEvent) -> Void
    ) async throws -> ToolReply {
        let request = LLMGenerationRequest(messages: messages, options: options, control: control)
        let outcome = try await engine.generate(request, tools: tools, ledger: ledger, emit: emit)
        ledger = outcome.ledger
        return outcome.toolReply
    }
}
