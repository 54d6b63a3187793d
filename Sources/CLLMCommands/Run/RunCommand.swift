import CarbocationLocalLLM

/// `run`: one generation.
struct RunCommand: Command {
    static let stats = OptionSpecification.flag(
        "stats", "Write figures to stderr: of the load and of what was computed.")
    static let specification = CommandSpecification(
        path: ["run"], summary: "Generates one answer and streams it to standard output.",
        positional: PromptArguments.positional,
        options: ModelArguments.specifications + PromptArguments.specifications
            + GenerationArguments.specifications + ToolArguments.specifications + [AnswerFormat.option, stats])

    private let model: ModelArguments
    private let prompt: PromptArguments
    private let generation: GenerationArguments
    private let tools: ToolArguments
    private let format: AnswerFormat
    private let showsStatistics: Bool

    init(_ arguments: ParsedArguments) throws(UsageError) {
        model = try ModelArguments(arguments)
        prompt = try PromptArguments(arguments)
        generation = try GenerationArguments(arguments)
        tools = try ToolArguments(arguments)
        format = try arguments.choice(AnswerFormat.option) ?? .text
        showsStatistics = arguments.isSet(Self.stats)
    }

    func run(in context: CommandContext) async throws {
        var presenter = format.presenter(in: context)
        do {
            try await answer(with: &presenter, in: context)
        } catch let closed as OutputClosed {
            throw closed
        } catch {
            // The first failure is the one to tell, not that of the attempt to show it.
            try? presenter.fail(FailureReport(error))
            throw error
        }
    }

    /// Finds the model first, so that a wrong one is told before standard input is waited for.
    private func answer(with presenter: inout any AnswerPresenting, in context: CommandContext) async throws {
        let source = try await context.chosenModel(model.reference)
        let loadRequest = try await model.loadRequest(for: source, in: context)
        let request = try await prompt.request(options: try generation.resolved(), in: context)
        try await context.withModel(loadRequest) { loaded, loadTime in
            var meter = GenerationMeter(start: context.environment.now())
            var failure: (any Error)?
            do {
                try await generate(request, with: loaded.engine, meter: &meter, presenter: &presenter, in: context)
                try presenter.finish()
            } catch {
                failure = error
            }
            if showsStatistics {
                let report = StatisticsReport(
                    loadTime: loadTime, load: loaded.report, meter: meter, threads: await loaded.threads(),
                    promptReuse: await loaded.promptReuse())
                context.errors.text(report.text)
            }
            if let failure { throw failure }
        }
    }

    private func generate(
        _ request: LLMGenerationRequest, with engine: any LLMEngine, meter: inout GenerationMeter,
        presenter: inout any AnswerPresenting, in context: CommandContext
    ) async throws {
        let reader = AnswerReader(in: context)
        if let toolRequest = tools.request(request, in: context) {
            let events = engine.streamWithTools(toolRequest, control: nil)
            _ = try await reader.run(events, meter: &meter, presenter: &presenter)
        } else {
            _ = try await reader.run(engine.stream(request), meter: &meter, presenter: &presenter)
        }
    }
}
