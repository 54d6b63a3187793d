import CarbocationLocalLLM

/// What to ask.
struct PromptArguments: Sendable, Hashable {
    static let positional = CommandSpecification.Positional(
        name: "PROMPT", help: "What to ask; '-' or nothing reads standard input to its end.")
    static let system = OptionSpecification.value("system", "TEXT", "Instructions that stand before the prompt.")
    static let messages = OptionSpecification.value(
        "messages", "FILE", "A conversation in place of PROMPT: a JSON array of messages as in OpenAI's API.")
    static let specifications = [system, messages]

    enum Source: Sendable, Hashable {
        case text(String)
        case standardInput
        case messages(path: String)
    }

    let source: Source
    let system: String

    init(_ arguments: ParsedArguments) throws(UsageError) {
        system = arguments.options.last(Self.system) ?? ""
        switch (try arguments.text(Self.messages), arguments.positional) {
        case (_?, _?): throw arguments.usage("PROMPT and --messages exclude each other")
        case (let path?, nil): source = .messages(path: path)
        case (nil, nil), (nil, "-"): source = .standardInput
        case (nil, let text?): source = .text(text)
        }
    }

    /// Reads the conversation.
    func request(options: GenerationOptions, in context: CommandContext) async throws -> LLMGenerationRequest {
        switch source {
        case .messages(let path):
            let messages = try MessageFile.messages(in: InputFile.text(at: path), named: "'\(path)'")
            let blank = system.allSatisfy(\.isWhitespace)
            let instructions = blank ? [] : [LLMChatMessage(role: .system, content: system)]
            return LLMGenerationRequest(messages: instructions + messages, options: options)
        case .text(let text): return try request(prompt: text, options: options)
        case .standardInput: return try request(prompt: await Self.standardInput(in: context), options: options)
        }
    }

    private func request(prompt: String, options: GenerationOptions) throws -> LLMGenerationRequest {
        if prompt.isEmpty {
            throw CommandFailure(.invalidInput, "The prompt is empty: give it as an argument or on standard input.")
        }
        return LLMGenerationRequest(system: system, prompt: prompt, options: options)
    }

    /// The whole standard input as text.
    static func standardInput(in context: CommandContext) async throws -> String {
        try InputFile.text(of: await standardInputBytes(in: context), named: "Standard input")
    }

    /// The whole standard input as it is.
    static func standardInputBytes(in context: CommandContext) async throws -> [UInt8] {
        if context.environment.input.isTerminal { context.note("reading standard input; Ctrl-D ends it") }
        return try await context.environment.input.readToEnd()
    }
}
