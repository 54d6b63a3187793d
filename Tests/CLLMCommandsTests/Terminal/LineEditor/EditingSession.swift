@testable import CLLMCommands

/// An editor and the screen that shows it.
struct EditingSession {
    var editor: LineEditor
    var screen: VirtualScreen
    /// The lines that were entered, and how else lines ended.
    private(set) var outcomes: [LineEditor.Outcome] = []
    private let size: TerminalSize

    init(columns: Int = 40, rows: Int = 8, history: [String] = [], pasteLimit: Int = PasteCollector.sizeLimit) {
        size = TerminalSize(columns: columns, rows: rows)
        screen = VirtualScreen(size)
        editor = LineEditor(prompt: "> ", history: LineHistory(history), pasteLimit: pasteLimit)
        screen.write(editor.begin(in: size))
    }

    mutating func type(_ text: String) {
        type(Array(text.utf8))
    }

    /// Types bytes as they arrive at once.
    mutating func type(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while true {
            let step = editor.feed(&rest, in: size)
            screen.write(step.output)
            guard let outcome = step.outcome else { return }
            outcomes.append(outcome)
            screen.write(outcome == .suspended ? editor.resume(in: size) : editor.begin(in: size))
        }
    }

    var text: String { editor.edited.text }

    /// The text with a bar where the cursor is.
    var marked: String { String(editor.edited.before) + "|" + String(editor.edited.after) }
}
