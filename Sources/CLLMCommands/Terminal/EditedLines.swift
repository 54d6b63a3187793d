/// Lines that a person edits at a terminal.
struct EditedLines: Sendable {
    private let terminal: any TerminalDevice
    private var editor: LineEditor
    /// What was typed behind the last line.
    private var pending: ArraySlice<UInt8> = []

    init(terminal: any TerminalDevice, prompt: String, history: [String] = []) {
        self.terminal = terminal
        editor = LineEditor(prompt: prompt, history: LineHistory(history))
    }

    /// The next line, nil when the person ends the input or closes the terminal.
    ///
    /// The terminal is taken over for as long as this runs.
    ///
    /// - Throws: ``Interruption/interrupt`` for Ctrl-C; `CancellationError` as soon as the task is cancelled.
    mutating func next() async throws -> String? {
        try terminal.takeOver()
        defer { terminal.restore() }
        try terminal.write(editor.begin(in: terminal.size))
        while true {
            let step = editor.feed(&pending, in: terminal.size)
            try terminal.write(step.output)
            switch step.outcome {
            case .submitted(let line)?: return line
            case .endOfInput?: return nil
            case .interrupted?: throw Interruption.interrupt
            case .suspended?: try suspend()
            case nil:
                pending = ArraySlice(try await terminal.read())
                if pending.isEmpty { return nil }
            }
        }
    }

    private mutating func suspend() throws {
        terminal.restore()
        terminal.suspend()
        try terminal.takeOver()
        try terminal.write(editor.resume(in: terminal.size))
    }
}
