import CarbocationLocalLLM

/// `debug json-slice`: the JSON value that a generation would stop at.
struct DebugJSONSliceCommand: Command {
    static let specification = CommandSpecification(
        path: ["debug", "json-slice"],
        summary: "Prints the JSON value in the text on standard input that a generation would end with.", options: [])

    init(_ arguments: ParsedArguments) throws(UsageError) {}

    func run(in context: CommandContext) async throws {
        let text = try await PromptArguments.standardInput(in: context)
        guard let range = BalancedJSONScanner.firstValueRange(in: text, atEnd: true) else {
            throw CommandFailure(.invalidInput, "The text has no complete JSON object or array.")
        }
        try context.print(text[range] + "\n")
    }
}
