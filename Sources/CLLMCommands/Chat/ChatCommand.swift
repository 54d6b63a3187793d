import CarbocationLocalLLM

/// `chat`: a conversation that remembers.
struct ChatCommand: Command {
    static let messages = OptionSpecification.value(
        "messages", "FILE", "Turns to begin with: a JSON array of messages as in OpenAI's API.")
    static let specification = CommandSpecification(
        path: ["chat"], summary: "Talks with a model that remembers; each line of piped input is one turn.",
        options: ModelArguments.specifications + [PromptArguments.system, messages]
            + GenerationArguments.specifications + ToolArguments.specifications
            + [AnswerFormat.option, RunCommand.stats])

    private let model: ModelArguments
    private let system: String
    private let messages: String?
    private let generation: GenerationArguments
    private let tools: ToolArguments
    private let format: AnswerFormat
    private let showsStatistics: Bool

    init(_ arguments: ParsedArguments) throws(UsageError) {
        model = try ModelArguments(arguments)
        system = arguments.options.last(PromptArguments.system) ?? ""
        messages = try arguments.text(Self.messages)
        generation = try GenerationArguments(arguments)
        tools = try ToolArguments(arguments)
        format = try arguments.choice(AnswerFormat.option) ?? .text
        showsStatistics = arguments.isSet(RunCommand.stats)
    }

    func run(in context: CommandContext) async throws {
        let source = try await context.chosenModel(model.reference)
        let request = try await model.loadRequest(for: source, in: context)
        let options = try generation.resolved()
        let opening = try opening()
        let (chat, loadTime) = try await context.loading(request) {
            try await context.runtime.openChat(request, opening)
        }
        context.detail("loaded in \(Figure.milliseconds(loadTime)), context \(chat.contextSize) tokens")
        var conversation = Conversation(
            chat: chat, request: request, options: options, tools: tools, format: format,
            showsStatistics: showsStatistics, loadTime: loadTime, context: context)
        do {
            try await conversation.run(ChatInput(in: context))
            await conversation.close()
        } catch {
            await conversation.close()
            throw error
        }
    }

    private func opening() throws -> ChatOpening {
        guard let messages else { return ChatOpening(system: system) }
        return try ChatOpening(
            system: system, messages: MessageFile.messages(in: InputFile.text(at: messages), named: "'\(messages)'"))
    }
}
