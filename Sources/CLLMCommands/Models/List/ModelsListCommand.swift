import CarbocationLocalLLM
import Foundation

/// `models list`: what is installed.
struct ModelsListCommand: Command {
    static let json = OptionSpecification.flag("json", "Print the models as a JSON array.")
    static let specification = CommandSpecification(
        path: ["models", "list"], summary: "Lists the models that are installed.", options: [json])

    private let printsJSON: Bool

    init(_ arguments: ParsedArguments) throws(UsageError) {
        printsJSON = arguments.isSet(Self.json)
    }

    func run(in context: CommandContext) async throws {
        let entries = await ModelEntry.all(in: context.openLibrary())
        if printsJSON { return try context.print(JSONDocument.text(.array(entries.map(\.json)))) }
        try context.print(TextTable(entries.map(Self.row)).text)
        if entries.isEmpty {
            context.note("no models are installed; 'cllm models pull OWNER/REPOSITORY' downloads one")
        }
    }

    private static func row(_ entry: ModelEntry) -> [String] {
        switch entry {
        case .installed(let model):
            [
                model.id.uuidString, model.displayName, model.quantization ?? "-", Figure.bytes(model.sizeBytes),
                model.contextLength > 0 ? "\(model.contextLength) tokens" : "-", model.isReadOnly ? "read-only" : "",
            ]
        case .damaged(let model):
            [model.id.uuidString, model.displayName, "damaged: \(ModelDamage(model.reason).explanation)"]
        }
    }
}
