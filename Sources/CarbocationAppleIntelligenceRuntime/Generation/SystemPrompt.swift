import CarbocationLocalLLM

/// A conversation as the system's language model is given it: instructions, what was said, and what to answer.
struct SystemPrompt: Sendable, Hashable {
    /// The system text and what the options ask of the model.
    let instructions: String
    /// All messages between the instructions and the prompt.
    let history: [LLMChatMessage]
    /// What is to be answered.
    let prompt: String
    /// The tools that the model may call.
    let tools: [LLMToolDefinition]

    /// Asks for the answer when the conversation ends with the outputs of tools, because the system needs a prompt.
    private static let goOn = "Answer with the outputs of the tools."

    /// Creates a prompt.
    ///
    /// - Parameters:
    ///   - messages: A normalized conversation, with a user's or a tool's message at its end.
    ///   - directives: What is added to the instructions.
    ///   - tools: The tools.
    init(_ messages: [LLMChatMessage], directives: [String], tools: [LLMToolDefinition]) {
        var rest = messages[...]
        var parts: [String] = []
        if let first = rest.first, first.role == .system {
            parts.append(first.content)
            rest = rest.dropFirst()
        }
        parts += directives
        instructions = parts.filter { $0.contains { !$0.isWhitespace } }.joined(separator: "\n\n")
        if let last = rest.last, last.role == .user {
            prompt = last.content
            history = Array(rest.dropLast())
        } else {
            prompt = Self.goOn
            history = Array(rest)
        }
        self.tools = tools
    }

    /// About how many tokens it is.
    var estimatedTokens: Int {
        var texts = [instructions, prompt] + tools.map { $0.json.jsonString() }
        for message in history {
            texts.append(message.content)
            texts += message.toolCalls.map { $0.name + $0.arguments.jsonString() }
        }
        return texts.reduce(0) { $0 + TokenEstimator.estimate($1) }
    }
}
