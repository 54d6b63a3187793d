package import CarbocationLlamaRuntime
package import CarbocationLocalLLM
package import CarbocationLocalLLMRuntime
package import Foundation

/// A conversation that remembers.
///
/// A turn that fails or is cancelled leaves no trace in it.
package protocol ChatSession: Sendable {
    var transcript: [LLMChatMessage] { get async }

    /// A stream that answers a prompt when it is iterated.
    func stream(prompt: String, options: GenerationOptions, control: LLMGenerationControl?) -> LLMGenerationStream

    /// A stream that answers with tools when it is iterated; the messages of the request follow the transcript.
    func streamWithTools(_ request: LLMToolGenerationRequest, control: LLMGenerationControl?) -> LLMToolGenerationStream

    /// Forgets all turns but not the system text.
    func reset() async

    /// Writes the conversation into a file.
    func save(to url: URL) async throws

    /// Frees what the session holds.
    func unload() async
}

extension LocalLLMSession: ChatSession {}
extension LlamaSession: ChatSession {}

/// A conversation that has begun, and what is known about its model.
package struct OpenChat: Sendable {
    package var session: any ChatSession
    /// Tokens of its context.
    package var contextSize: Int
    package var thinking: LLMThinkingCapabilities
    /// What its engine tells of itself, as of the last turn.
    package var engineFigures: @Sendable () async -> EngineFigures

    package init(
        session: any ChatSession, contextSize: Int, thinking: LLMThinkingCapabilities = .none,
        engineFigures: @escaping @Sendable () async -> EngineFigures = { EngineFigures() }
    ) {
        self.session = session
        self.contextSize = contextSize
        self.thinking = thinking
        self.engineFigures = engineFigures
    }
}
