/// How much a reply has thought, and whether it may go on.
struct ScriptedThinking: Sendable {
    /// The chunks of thinking so far, without messages that ended it.
    var chunks = 0
    /// Whether the block that the reply is in was ended, so that the rest of it is skipped.
    var isEnded = false

    /// Nil is no limit.
    private let budget: Int?
    private var message: String?

    init(_ options: GenerationOptions) {
        budget = options.enableThinking ? options.thinkingBudgetTokens : nil
        message = options.thinkingBudgetMessage
    }

    /// Whether there may be no more chunks.
    var isUsedUp: Bool { budget.map { chunks >= $0 } ?? false }

    /// What is written when the budget ends the thinking; nothing the second time.
    mutating func takeBudgetMessage() -> String {
        message.take() ?? ""
    }
}
