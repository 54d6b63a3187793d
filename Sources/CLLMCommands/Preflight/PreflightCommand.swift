import CarbocationLocalLLM

/// `preflight`: whether a prompt fits, without generating.
struct PreflightCommand: Command {
    static let json = OptionSpecification.flag("json", "Print the budget as JSON.")
    static let specification = CommandSpecification(
        path: ["preflight"], summary: "Says whether a prompt fits, and how much room it leaves for the answer.",
        positional: PromptArguments.positional,
        options: ModelArguments.specifications + PromptArguments.specifications
            + GenerationArguments.specifications + ToolArguments.specifications + [json, RunCommand.stats])

    private let model: ModelArguments
    private let prompt: PromptArguments
    private let generation: GenerationArguments
    private let tools: ToolArguments
    private let printsJSON: Bool
    private let showsStatistics: Bool

    init(_ arguments: ParsedArguments) throws(UsageError) {
        model = try ModelArguments(arguments)
        prompt = try PromptArguments(arguments)
        generation = try GenerationArguments(arguments)
        tools = try ToolArguments(arguments)
        printsJSON = arguments.isSet(Self.json)
        showsStatistics = arguments.isSet(RunCommand.stats)
    }

    func run(in context: CommandContext) async throws {
        let source = try await context.chosenModel(model.reference)
        let loadRequest = try await model.loadRequest(for: source, in: context)
        let request = try await prompt.request(options: try generation.resolved(), in: context)
        let offer = try tools.request(request, in: context)?.checkedOffer()
        try await context.withModel(loadRequest) { loaded, loadTime in
            let budget = try await loaded.preflight(request, offer)
            let report = PreflightReport(budget: budget)
            try context.print(printsJSON ? JSONDocument.text(report.json) : report.text)
            if showsStatistics { context.errors.text(report.statistics(loadTime: loadTime)) }
        }
    }
}
