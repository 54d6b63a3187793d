/// How answers are written.
enum AnswerFormat: String, Sendable, CaseIterable {
    case text, jsonl

    static let option = OptionSpecification.value(
        "format", "FORMAT", "text, or jsonl for one JSON event per line (default: text).")

    /// What shows one answer.
    func presenter(in context: CommandContext) -> any AnswerPresenting {
        switch self {
        case .text: TextPresenter(output: context.output, asides: context.isQuiet ? nil : context.errors)
        case .jsonl: EventLinePresenter(output: context.output)
        }
    }
}
