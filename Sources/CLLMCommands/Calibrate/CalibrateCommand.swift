import CarbocationLocalLLM

/// `calibrate`: finds out how much context fits.
struct CalibrateCommand: Command {
    static let json = OptionSpecification.flag("json", "Print the result as JSON.")
    static let specification = CommandSpecification(
        path: ["calibrate"], summary: "Finds out how much context a model can have on this machine, and remembers it.",
        positional: .init(
            name: "MODEL", help: "An installed model: its id, name or Hub reference.", isRequired: true),
        options: ModelArguments.calibrated + [json])

    private let reference: String
    private let model: ModelArguments
    private let printsJSON: Bool

    init(_ arguments: ParsedArguments) throws(UsageError) {
        reference = arguments.positional ?? ""
        model = try ModelArguments(arguments)
        printsJSON = arguments.isSet(Self.json)
    }

    func run(in context: CommandContext) async throws {
        let source = try await context.chosenModel(reference)
        guard case .installed(let installed, let library) = source else { throw Self.notInstalled(source) }
        let configuration = try await model.configuration(in: context)
        let progress = CalibrationProgress(name: installed.displayName, context: context)
        defer { progress.end() }
        let start = context.environment.now()
        let record = try await context.runtime.calibrate(
            installed, in: library, configuration: configuration, onProgress: progress.show)
        progress.end()
        let report = CalibrationReport(record: record, duration: context.environment.now() - start)
        try context.print(printsJSON ? JSONDocument.text(report.json) : report.text)
    }

    private static func notInstalled(_ source: ChosenModel) -> CommandFailure {
        switch source {
        case .file:
            CommandFailure(
                .refused,
                "Only installed models are calibrated, because the result is remembered for them; "
                    + "'cllm models import FILE' installs one.")
        case .installed, .system:
            CommandFailure(
                .refused, "\(source.displayName) has a context of its own, there is nothing to calibrate.")
        }
    }
}
