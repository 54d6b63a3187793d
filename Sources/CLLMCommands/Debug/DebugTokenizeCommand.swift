import CarbocationLocalLLM
import Foundation

/// `debug tokenize`: a text as a model's tokens.
struct DebugTokenizeCommand: Command {
    static let asUserInput = OptionSpecification.flag(
        "as-user-input", "Take special tokens in the text as plain characters.")
    static let json = OptionSpecification.flag("json", "Print ids, pieces and bytes as JSON.")
    static let specification = CommandSpecification(
        path: ["debug", "tokenize"], summary: "Prints the id and the text of every token of a text.",
        positional: .init(name: "TEXT", help: "What to cut; '-' or nothing reads standard input to its end."),
        options: [ModelArguments.model, asUserInput, json])

    private let modelReference: String?
    private let text: String?
    private let isUserInput: Bool
    private let printsJSON: Bool

    init(_ arguments: ParsedArguments) throws(UsageError) {
        modelReference = try arguments.text(ModelArguments.model)
        text = arguments.positional == "-" ? nil : arguments.positional
        isUserInput = arguments.isSet(Self.asUserInput)
        printsJSON = arguments.isSet(Self.json)
    }

    func run(in context: CommandContext) async throws {
        let model = try await context.modelFile(modelReference)
        try report(try await input(in: context), model: model, in: context)
    }

    // Swift 6.3.1 crashes in optimised builds when all of this is one asynchronous function.
    @inline(never)
    private func input(in context: CommandContext) async throws -> String {
        if let text { return text }
        return try await PromptArguments.standardInput(in: context)
    }

    @inline(never)
    private func report(_ input: String, model: URL, in context: CommandContext) throws {
        let tokens = try context.runtime.tokenize(input, asUserInput: isUserInput, model: model)
        try context.print(printsJSON ? JSONDocument.text(Self.json(tokens)) : Self.lines(tokens))
    }

    /// One token a line, its piece quoted as JSON so that white space shows.
    private static func lines(_ tokens: [TokenReport]) -> String {
        tokens.map { "\($0.id)\t\(LLMJSONValue.string($0.piece).jsonString())\n" }.joined()
    }

    private static func json(_ tokens: [TokenReport]) -> LLMJSONValue {
        [
            "ids": .array(tokens.map { .int(Int64($0.id)) }),
            "pieces": .array(tokens.map { .string($0.piece) }),
            "bytes": .array(tokens.map { .array($0.bytes.map { .int(Int64($0)) }) }),
        ]
    }
}
