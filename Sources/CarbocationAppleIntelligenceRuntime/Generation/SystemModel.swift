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
    /// What the system shows of the calls in the current reply.
    var toolProgress: SystemToolProgress { get }

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

/// The calls of a reply and their outputs, as far as the system shows them, which may be late or not at all.
struct SystemToolProgress: Sendable, Hashable {
    /// How many calls the model made each time that it asked for tools.
    var rounds: [Int] = []
    /// How many outputs it was given.
    var outputs = 0
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
