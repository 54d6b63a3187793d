/// `plan`: how a model would be loaded.
struct PlanCommand: Command {
    static let json = OptionSpecification.flag("json", "Print the plan as JSON.")
    static let specification = CommandSpecification(
        path: ["plan"], summary: "Shows with how much context a model is loaded, and what it can do.",
        positional: .init(name: "MODEL", help: ModelArguments.help), options: ModelArguments.calibrated + [json])

    private let model: ModelArguments
    private let reference: String?
    private let printsJSON: Bool

    init(_ arguments: ParsedArguments) throws(UsageError) {
        if arguments.positional?.isEmpty == true { throw arguments.usage("MODEL may not be empty") }
        reference = arguments.positional
        model = try ModelArguments(arguments)
        printsJSON = arguments.isSet(Self.json)
    }

    func run(in context: CommandContext) async throws {
        let source = try await context.chosenModel(reference)
        let configuration = try await model.configuration(in: context)
        let report = PlanReport(plan: try await context.runtime.plan(source, configuration: configuration))
        try context.print(printsJSON ? JSONDocument.text(report.json) : report.text)
    }
}
