import CarbocationLlamaRuntime
import CarbocationLocalLLM

/// `models select`: chooses the model that is used when none is named.
struct ModelsSelectCommand: Command {
    static let json = OptionSpecification.flag("json", "Print the selection as JSON.")
    static let specification = CommandSpecification(
        path: ["models", "select"], summary: "Chooses the model that is used when none is named.",
        positional: .init(
            name: "MODEL", help: "An installed model: its id, name or Hub reference.", isRequired: true),
        options: [json])

    private let reference: String
    private let printsJSON: Bool

    init(_ arguments: ParsedArguments) throws(UsageError) {
        reference = arguments.positional ?? ""
        printsJSON = arguments.isSet(Self.json)
    }

    func run(in context: CommandContext) async throws {
        let library = await context.openLibrary()
        let (selection, name) = try await chosen(in: library, context)
        try context.selectionFile.write(selection)
        context.note("selected \(name)")
        if printsJSON { try context.print(JSONDocument.text(SelectionReport.json(selection, name))) }
    }

    private func chosen(
        in library: ModelLibrary, _ context: CommandContext
    ) async throws -> (LLMModelSelection, displayName: String) {
        if let id = LLMSystemModelID(rawValue: reference) {
            // Fails when it cannot be used here.
            let plan = try await context.runtime.plan(
                .system(id, in: library), configuration: LlamaEngineConfiguration())
            return (.system(id), plan.displayName)
        }
        let entry = try await context.entry(reference, in: library)
        guard case .installed(let model) = entry else {
            throw CommandFailure(.refused, "'\(entry.displayName)' is damaged and cannot be selected; remove it.")
        }
        return (.installed(model.id), model.displayName)
    }
}
