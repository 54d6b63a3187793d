/// Lines that a person edits at a terminal.
struct EditedLines: Sendable {
    private let terminal: any TerminalDevice
    private var editor: LineEditor
    /// What was typed behind the last line.
    private var pending: ArraySlice<UInt8> = []
    /// Each line looks through all of it, so it must not pile up.
    private static let pendingLimit = 4096

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
        // Also what was taken over in part.
        defer { terminal.restore() }
        try terminal.takeOver()
        try terminal.write(editor.begin(in: terminal.size))
        while true {
            let step = editor.feed(&pending, in: terminal.size)
            try terminal.write(step.output)
            switch step.outcome {
            case .submitted(let line)?:
                takeWaiting()
                return line
            case .endOfInput?: return nil
            case .interrupted?: throw Interruption.interrupt
            case .suspended?: try suspend()
            case nil:
                pending = ArraySlice(try await terminal.read())
                if pending.isEmpty { return nil }
            }
        }
    }

    /// Whether Ctrl-C was pressed behind the last line while the terminal still made a byte of it.
    ///
    /// If so, what was typed before it is dropped, as a terminal does itself.
    mutating func takeInterrupt() -> Bool {
        // What came between the last look and the restoring.
        takeWaiting()
        return editor.takeInterrupt(from: &pending)
    }

    /// Takes what the terminal holds, unless much is pending already.
    private mutating func takeWaiting() {
        if pending.count < Self.pendingLimit { pending += terminal.readWaiting() }
    }

    private mutating func suspend() throws {
        terminal.restore()
        terminal.suspend()
        try terminal.takeOver()
        try terminal.write(editor.resume(in: terminal.size))
    }
}
