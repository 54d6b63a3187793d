import CarbocationLlamaRuntime
import CarbocationLocalLLM

/// `bench`: measures one model on this machine.
struct BenchCommand: Command {
    static let promptTokens = OptionSpecification.value(
        "prompt-tokens", "N", "Least tokens of each prompt (default: 512).")
    static let generateTokens = OptionSpecification.value(
        "generate-tokens", "N", "Most tokens to generate after each prompt (default: 128).")
    static let repetitions = OptionSpecification.value("repetitions", "N", "Measurements to make (default: 5).")
    static let context = OptionSpecification.value(
        "context", "N", "Context in tokens (default: what the prompt and the output need).")
    static let workload = OptionSpecification.value(
        "workload", "FILE", "Measure the conversations of a JSON file, held at the same time, instead of one prompt.")
    static let json = OptionSpecification.flag("json", "Print the figures as JSON.")
    static let specification = CommandSpecification(
        path: ["bench"], summary: "Measures how fast a model reads and writes, its load time and its memory.",
        options: [
            ModelArguments.model, promptTokens, generateTokens, repetitions, ModelArguments.threads,
            ModelArguments.gpuLayers, ModelArguments.acceleration, context, workload, json,
        ])

    private let model: ModelArguments
    private let plan: BenchPlan
    private let workload: String?
    private let printsJSON: Bool

    init(_ arguments: ParsedArguments) throws(UsageError) {
        model = try ModelArguments(arguments)
        plan = BenchPlan(
            promptTokens: try Self.count(Self.promptTokens, in: arguments) ?? 512,
            generateTokens: try Self.count(Self.generateTokens, in: arguments) ?? 128,
            repetitions: try Self.count(Self.repetitions, in: arguments) ?? 5)
        workload = try arguments.text(Self.workload)
        printsJSON = arguments.isSet(Self.json)
    }

    func run(in context: CommandContext) async throws {
        if let workload {
            try await run(
                WorkloadFile.workload(in: InputFile.text(at: workload), named: "'\(workload)'"), in: context)
        } else {
            try await measurePrompts(in: context)
        }
    }

    private func measurePrompts(in context: CommandContext) async throws {
        let url = try await context.modelFile(model.reference)
        let size = model.context ?? plan.neededContext
        try await context.withModel(at: url, context: size, configuration: model.configuration) { loaded, loadTime in
            let benchmark = Benchmark(plan: plan, engine: loaded.engine, context: context)
            let samples = try await benchmark.samples()
            let peakMemory = context.environment.peakMemory()
            let report = BenchReport(
                plan: plan, architecture: loaded.details?.architecture, contextSize: loaded.contextSize,
                threads: model.configuration.threadCount, loadTime: loadTime,
                stageCost: try await context.environment.runtime.stageCost(model: url),
                samples: samples, peakMemory: peakMemory)
            try context.print(printsJSON ? JSONDocument.text(report.json) : report.text)
        }
    }

    private func run(_ workload: Workload, in context: CommandContext) async throws {
        let url = try await context.modelFile(model.reference)
        var configuration = model.configuration
        configuration.maximumConcurrentSequences = workload.slots
        let size = model.context ?? workload.context
        try await context.withModel(at: url, context: size, configuration: configuration) { loaded, loadTime in
            let run = WorkloadRun(engine: loaded.engine, now: context.environment.now)
            let (samples, duration) = try await context.showing("Measuring …") { try await run.measure(workload) }
            let report = WorkloadReport(
                workload: workload, contextSize: loaded.contextSize,
                threads: model.configuration.threadCount, samples: samples, duration: duration, loadTime: loadTime,
                peakMemory: context.environment.peakMemory())
            try context.print(printsJSON ? JSONDocument.text(report.json) : report.text)
        }
    }

    /// A number small enough to be added to others without care.
    private static func count(
        _ option: OptionSpecification, in arguments: ParsedArguments
    ) throws(UsageError) -> Int? {
        try arguments.integer(option, atLeast: 1 as Int32).map { Int($0) }
    }
}
