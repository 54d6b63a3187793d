import CarbocationLlamaRuntime
import CarbocationLocalLLM

/// `debug render`: a conversation as a template writes it.
struct DebugRenderCommand: Command {
    static let template = OptionSpecification.value(
        "template", "FILE", "A chat template; needs no model.")
    static let messages = OptionSpecification.value(
        "messages", "FILE", "The conversation: a JSON array of messages as in OpenAI's API.")
    static let tools = OptionSpecification.value(
        "tools", "FILE", "The tools: a JSON array as in OpenAI's API.")
    static let think = OptionSpecification.flag("think", "Let the model think first.")
    static let noGenerationPrompt = OptionSpecification.flag(
        "no-generation-prompt", "Do not begin the assistant's turn.")
    static let json = OptionSpecification.flag("json", "Also print the segments and how replies are read, as JSON.")
    static let specification = CommandSpecification(
        path: ["debug", "render"], summary: "Prints the prompt that a chat template makes of a conversation.",
        options: [template, ModelArguments.model, messages, tools, think, noGenerationPrompt, json])

    private let templatePath: String?
    private let modelReference: String?
    private let messagesPath: String
    private let toolsPath: String?
    private let enablesThinking: Bool
    private let addsGenerationPrompt: Bool
    private let printsJSON: Bool

    init(_ arguments: ParsedArguments) throws(UsageError) {
        templatePath = try arguments.text(Self.template)
        modelReference = try arguments.text(ModelArguments.model)
        if templatePath != nil, modelReference != nil {
            throw arguments.usage("--template and --model exclude each other")
        }
        guard let messages = try arguments.text(Self.messages) else { throw arguments.usage("--messages is missing") }
        messagesPath = messages
        toolsPath = try arguments.text(Self.tools)
        enablesThinking = arguments.isSet(Self.think)
        addsGenerationPrompt = !arguments.isSet(Self.noGenerationPrompt)
        printsJSON = arguments.isSet(Self.json)
    }

    func run(in context: CommandContext) async throws {
        let source: TemplateSource
        if let templatePath {
            source = .text(try InputFile.text(at: templatePath))
        } else {
            source = .model(try await context.modelFile(modelReference))
        }
        let request = PromptRenderRequest(
            messages: try Self.array(at: messagesPath), tools: try toolsPath.map(Self.array),
            enableThinking: enablesThinking, addsGenerationPrompt: addsGenerationPrompt)
        let report = try context.runtime.renderer(of: source)(request)
        try context.print(printsJSON ? JSONDocument.text(report.json) : report.prompt)
    }

    private static func array(at path: String) throws -> LLMJSONValue {
        let objects = try MessageFile.objects(in: InputFile.text(at: path), named: "'\(path)'")
        return .array(objects.map { .object($0) })
    }
}
