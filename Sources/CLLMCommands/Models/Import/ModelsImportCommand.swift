import CarbocationLocalLLM
import Foundation

/// `models import`: takes model files into the library.
struct ModelsImportCommand: Command {
    static let name = OptionSpecification.value("name", "NAME", "What to call the model (default: the file's name).")
    static let json = OptionSpecification.flag(
        "json", "Print the model as JSON; an array when the files are several models.")
    static let specification = CommandSpecification(
        path: ["models", "import"], summary: "Copies a model into the library and prints its id.",
        positional: .init(
            name: "FILE", help: "A .gguf file; with several, parts and projectors join their model.",
            isRequired: true, isRepeated: true),
        options: [name, json])

    private let groups: [ImportGroup]
    private let displayName: String?
    private let printsJSON: Bool

    init(_ arguments: ParsedArguments) throws(UsageError) {
        guard let groups = ImportGroup.groups(of: arguments.words) else {
            throw arguments.usage("import each model together with its projector, one model at a time")
        }
        self.groups = groups
        displayName = try arguments.text(Self.name)
        if displayName != nil, groups.count > 1 { throw arguments.usage("--name is for one model at a time") }
        printsJSON = arguments.isSet(Self.json)
    }

    func run(in context: CommandContext) async throws {
        let library = await context.openLibrary()
        var entries: [ModelEntry] = []
        for group in groups {
            let file = group.urls.first?.lastPathComponent ?? ""
            let model = try await context.showing("Copying \(PlainText.clean(file)) …") {
                try await library.importFiles(at: group.urls, displayName: displayName)
            }
            entries.append(.installed(model))
            if !printsJSON { try context.print(model.id.uuidString + "\n") }
        }
        guard printsJSON else { return }
        let documents = entries.map(\.json)
        try context.print(JSONDocument.text(documents.count == 1 ? documents[0] : .array(documents)))
    }
}
