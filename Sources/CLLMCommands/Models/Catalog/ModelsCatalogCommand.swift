import CarbocationLocalLLM

/// `models catalog`: the curated models.
struct ModelsCatalogCommand: Command {
    static let memory = OptionSpecification.value(
        "memory", "BYTES", "Recommend for a computer with this memory (default: that of this one).")
    static let json = OptionSpecification.flag("json", "Print the models as JSON.")
    static let specification = CommandSpecification(
        path: ["models", "catalog"], summary: "Lists curated models and recommends one for this computer.",
        options: [memory, json])

    private let memory: UInt64?
    private let printsJSON: Bool

    init(_ arguments: ParsedArguments) throws(UsageError) {
        memory = try arguments.integer(Self.memory, atLeast: 0)
        printsJSON = arguments.isSet(Self.json)
    }

    func run(in context: CommandContext) async throws {
        let models = CuratedModelCatalog.all
        let present = await context.openLibrary().models
        let installed = models.filter { entry in present.contains { entry.matches($0) } }.map(\.id)
        let report = CatalogReport(
            models: models, installed: Set(installed), memory: memory ?? context.environment.physicalMemory)
        try context.print(printsJSON ? JSONDocument.text(report.json) : report.text)
    }
}
