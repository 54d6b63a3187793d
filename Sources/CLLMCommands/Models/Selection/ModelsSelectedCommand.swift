import CarbocationLocalLLM

/// `models selected`: which model was chosen.
struct ModelsSelectedCommand: Command {
    static let json = OptionSpecification.flag("json", "Print the selection as JSON.")
    static let specification = CommandSpecification(
        path: ["models", "selected"], summary: "Prints the id of the model that is used when none is named.",
        options: [json])

    private let printsJSON: Bool

    init(_ arguments: ParsedArguments) throws(UsageError) {
        printsJSON = arguments.isSet(Self.json)
    }

    func run(in context: CommandContext) async throws {
        let selection = try context.selectionFile.read()
        let name = await displayName(of: selection, in: context)
        if printsJSON {
            try context.print(JSONDocument.text(SelectionReport.json(selection, name)))
        } else if let selection {
            try context.print(selection.storageValue + "\n")
        }
        if selection == nil {
            context.note("no model is selected; 'cllm models select MODEL' selects one")
        } else if name == nil {
            context.note("the selected model is not among the installed ones")
        }
    }

    private func displayName(of selection: LLMModelSelection?, in context: CommandContext) async -> String? {
        switch selection {
        case .installed(let id)?: await context.openLibrary().model(id: id)?.displayName
        case .system(let id)?: id.rawValue
        case nil: nil
        }
    }
}
