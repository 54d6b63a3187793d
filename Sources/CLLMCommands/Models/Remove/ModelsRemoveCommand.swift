import CarbocationLocalLLM

/// `models remove`: deletes a model of the library.
struct ModelsRemoveCommand: Command {
    static let yes = OptionSpecification.flag("yes", "Do not ask.")
    static let json = OptionSpecification.flag("json", "Print what was deleted as JSON.")
    static let specification = CommandSpecification(
        path: ["models", "remove"], summary: "Deletes a model with all its files.",
        positional: .init(
            name: "MODEL", help: "An installed model: its id, name or Hub reference.", isRequired: true),
        options: [yes, json])

    private let reference: String
    private let asks: Bool
    private let printsJSON: Bool

    init(_ arguments: ParsedArguments) throws(UsageError) {
        reference = arguments.positional ?? ""
        asks = !arguments.isSet(Self.yes)
        printsJSON = arguments.isSet(Self.json)
    }

    func run(in context: CommandContext) async throws {
        let library = await context.openLibrary()
        let entry = try await context.entry(reference, in: library)
        if case .installed(let model) = entry, model.isReadOnly {
            throw ModelLibraryError.readOnlyModel(model.displayName)
        }
        try await confirm(entry, in: context)
        try await library.delete(id: entry.id)
        if try context.selectionFile.read() == .installed(entry.id) { try context.selectionFile.remove() }
        context.note("deleted \(entry.displayName)")
        if printsJSON { try context.print(JSONDocument.text(entry.json)) }
    }

    /// Asks the person at the terminal, if there is one.
    private func confirm(_ entry: ModelEntry, in context: CommandContext) async throws {
        guard asks, context.environment.input.isTerminal else { return }
        var size = ""
        if case .installed(let model) = entry { size = " (\(Figure.bytes(model.sizeBytes)))" }
        context.errors.text("Delete \(PlainText.clean(entry.displayName))\(size)? [y/N] ")
        let answer = String(decoding: try await context.environment.input.readLine() ?? [], as: UTF8.self)
        let word = answer.lowercased().filter { !$0.isWhitespace }
        guard ["y", "yes"].contains(word) else { throw CommandFailure(.refused, "Nothing was deleted.") }
    }
}
