import CarbocationLocalLLM

/// `models partials`: downloads that were begun and not finished.
struct ModelsPartialsCommand: Command {
    static let json = OptionSpecification.flag("json", "Print the downloads as a JSON array.")
    static let specification = CommandSpecification(
        path: ["models", "partials"], summary: "Lists downloads that were begun and not finished.", options: [json])

    private let printsJSON: Bool

    init(_ arguments: ParsedArguments) throws(UsageError) {
        printsJSON = arguments.isSet(Self.json)
    }

    func run(in context: CommandContext) async throws {
        let partials = ModelDownloader.listPartials(in: context.modelsRoot)
        try context.print(
            printsJSON
                ? JSONDocument.text(.array(partials.map(PartialReport.json)))
                : TextTable(partials.map(PartialReport.row)).text)
    }
}
