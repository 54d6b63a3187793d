import CarbocationLocalLLM

/// What a generation needs of the system's language model.
protocol SystemModel: Sendable {
    /// The context in tokens.
    var contextSize: Int { get }

    /// The tokens of a prompt and the schema of its answer; nil where the system does not count.
    func tokenCount(of prompt: SystemPrompt, schema: SchemaPlan?) async -> Int?

    /// A conversation that has come to the prompt.
    ///
    /// - Throws: ``SystemModelFailure`` and the errors of generations.
    func conversation(_ prompt: SystemPrompt, tools: [SystemTool]) throws -> any SystemConversation
}

/// A conversation that the system goes on with; one reply at a time.
protocol SystemConversation: Sendable {
    /// How many times the model asked for tools in the last reply, as far as the system says.
    var toolRounds: Int { get }

    /// Answers a prompt.
    ///
    /// - Parameters:
    ///   - prompt: What to answer.
    ///   - options: How to generate.
    ///   - schema: What the answer has to follow; it is then given as a whole.
    ///   - onText: Takes the whole text so far, time and again, and says whether to go on.
    /// - Throws: ``SystemModelFailure``, what tools throw, and the errors of generations; `CancellationError` once the
    ///   task is cancelled.
    func reply(
        to prompt: String, options: AppleIntelligenceOptions, schema: SchemaPlan?,
        onText: @escaping @Sendable (String) -> Bool
    ) async throws
}

/// A tool as the system calls it.
struct SystemTool: Sendable {
    let definition: LLMToolDefinition
    let answer: @Sendable (LLMJSONValue) async throws -> String
}

/// What ends a reply and is no error of a caller as it is.
enum SystemModelFailure: Error, Sendable, Equatable {
    /// The context is full.
    case contextOverflow
    /// The model went on calling tools after it was told that none will run.
    case toolRoundsExhausted
}
