import CarbocationLocalLLM

/// `models resolve`: what a reference would download.
struct ModelsResolveCommand: Command {
    static let json = OptionSpecification.flag("json", "Print the files as JSON.")
    static let specification = CommandSpecification(
        path: ["models", "resolve"], summary: "Prints the files that a reference stands for.",
        positional: .init(
            name: HubArguments.positionalName, help: "\(HubArguments.referenceHelp).", isRequired: true),
        options: HubArguments.specifications + [json])

    private let hub: HubArguments
    private let printsJSON: Bool

    init(_ arguments: ParsedArguments) throws(UsageError) {
        hub = try HubArguments(arguments)
        printsJSON = arguments.isSet(Self.json)
    }

    func run(in context: CommandContext) async throws {
        guard let reference = hub.reference(in: context) else { throw hub.notAReference }
        let resolution = try await hub.resolve(reference, token: hub.token(in: context), in: context)
        let report = ResolutionReport(resolution: resolution)
        try context.print(printsJSON ? JSONDocument.text(report.json) : report.text)
    }
}
