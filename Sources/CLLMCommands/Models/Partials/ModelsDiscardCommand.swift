import CarbocationLocalLLM

/// `models discard`: deletes what an unfinished download has stored.
struct ModelsDiscardCommand: Command {
    static let json = OptionSpecification.flag("json", "Print what was deleted as JSON.")
    static let specification = CommandSpecification(
        path: ["models", "discard"], summary: "Deletes an unfinished download.",
        positional: .init(
            name: "ID", help: "The download's id, as 'cllm models partials' shows it, or its beginning.",
            isRequired: true),
        options: [json])

    private let id: String
    private let printsJSON: Bool

    init(_ arguments: ParsedArguments) throws(UsageError) {
        id = arguments.positional ?? ""
        printsJSON = arguments.isSet(Self.json)
    }

    func run(in context: CommandContext) async throws {
        let partial = try partial(in: ModelDownloader.listPartials(in: context.modelsRoot))
        try ModelDownloader.deletePartial(partial)
        context.note("deleted what was there of \(partial.displayName)")
        if printsJSON { try context.print(JSONDocument.text(PartialReport.json(partial))) }
    }

    private func partial(in partials: [PartialDownload]) throws -> PartialDownload {
        if let partial = partials.first(where: { $0.id == id }) { return partial }
        let isLongEnough = id.count >= InstalledModelMatch.shortestPrefix
        let candidates = isLongEnough ? partials.filter { $0.id.hasPrefix(id) } : []
        guard let first = candidates.first else {
            throw CommandFailure(
                .modelNotFound, "There is no unfinished download '\(id)'; 'cllm models partials' shows them all.")
        }
        guard candidates.count == 1 else {
            throw CommandFailure(.modelAmbiguous, "'\(id)' fits \(candidates.count) downloads; give the whole id.")
        }
        return first
    }
}
