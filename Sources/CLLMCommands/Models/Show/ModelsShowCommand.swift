import CarbocationLocalLLM

/// `models show`: what a model's file says about it.
struct ModelsShowCommand: Command {
    static let json = OptionSpecification.flag("json", "Print the metadata as JSON.")
    static let specification = CommandSpecification(
        path: ["models", "show"], summary: "Prints what the file of a model says about it.",
        positional: .init(
            name: "MODEL", help: "A .gguf file, or an installed model's id, name or Hub reference.", isRequired: true),
        options: [json])

    private let reference: String
    private let printsJSON: Bool

    init(_ arguments: ParsedArguments) throws(UsageError) {
        reference = arguments.positional ?? ""
        printsJSON = arguments.isSet(Self.json)
    }

    func run(in context: CommandContext) async throws {
        let url = try await context.modelFile(reference)
        let report = MetadataReport(summary: try GGUFModelSummary(modelAt: url))
        try context.print(printsJSON ? JSONDocument.text(report.json) : report.text)
    }
}
