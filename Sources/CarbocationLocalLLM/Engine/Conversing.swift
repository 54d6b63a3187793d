/// A conversation with a model that remembers what was said, whatever generates in it.
///
/// Calls run one after another; a turn that fails or is cancelled leaves no trace.
package protocol Conversing: Sendable {
    /// The conversation so far.
    var transcript: [LLMChatMessage] { get async }

    /// A stream that answers a prompt when it is iterated.
    func stream(prompt: String, options: GenerationOptions, control: LLMGenerationControl?) -> LLMGenerationStream

    /// A stream that answers with tools when it is iterated; the messages of the request follow the transcript.
    func streamWithTools(_ request: LLMToolGenerationRequest, control: LLMGenerationControl?) -> LLMToolGenerationStream

    /// Says whether a prompt fits behind the conversation so far.
    func preflight(prompt: String, options: GenerationOptions) async throws -> LLMGenerationPreflight

    /// Forgets all turns.
    func reset() async

    /// Frees what the session holds, once earlier calls are over.
    func unload() async
}
