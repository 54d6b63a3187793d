/// Where the lines of a chat come from.
struct ChatInput: Sendable {
    enum Line: Sendable {
        case text(String)
        /// A line that cannot be used, and why; those behind it can.
        case unusable(CommandFailure)
    }

    private static let prompt = "> "

    /// Whether a person sits at the other end.
    let isInteractive: Bool
    private let context: CommandContext
    private let history: HistoryFile?
    private var edited: EditedLines?
    private var lineNumber = 0

    init(in context: CommandContext) {
        self.context = context
        isInteractive = context.environment.input.isTerminal
        guard isInteractive, let terminal = context.environment.terminal else {
            history = nil
            return
        }
        history = HistoryFile(variables: context.environment.variables)
        edited = EditedLines(terminal: terminal, prompt: Self.prompt, history: Self.entries(of: history, in: context))
    }

    /// The next line, nil at the end of the input.
    ///
    /// - Throws: ``Interruption`` for Ctrl-C, `CancellationError` when the task is cancelled.
    mutating func next() async throws -> Line? {
        lineNumber += 1
        guard edited != nil else { return try await plainLine() }
        guard let line = try await edited?.next() else { return nil }
        if !line.allSatisfy(\.isWhitespace) { remember(line) }
        return .text(line)
    }

    /// Whether Ctrl-C was pressed behind the last line before the terminal could make a signal of it.
    mutating func takeInterrupt() -> Bool {
        edited?.takeInterrupt() ?? false
    }

    private func plainLine() async throws -> Line? {
        if isInteractive, context.errors.isTerminal { context.errors.text(Self.prompt) }
        guard var bytes = try await context.environment.input.readLine() else { return nil }
        if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
        do throws(CommandFailure) {
            return .text(try InputFile.text(of: bytes, named: "Line \(lineNumber) of standard input"))
        } catch {
            return .unusable(error)
        }
    }

    private func remember(_ line: String) {
        do {
            try history?.append(line)
        } catch {
            context.note(FailureReport(error).message)
        }
    }

    private static func entries(of history: HistoryFile?, in context: CommandContext) -> [String] {
        do {
            return try history?.read() ?? []
        } catch {
            context.note(FailureReport(error).message)
            return []
        }
    }
}
