/// Edits lines: takes the bytes that a person types and gives what the terminal is to show.
///
/// A value without effects. Bytes may be cut anywhere; what stands behind a submitted line belongs to the next one.
struct LineEditor: Sendable {
    /// How the editing of a line ended.
    enum Outcome: Sendable, Hashable {
        case submitted(String)
        /// Ctrl-C.
        case interrupted
        /// Ctrl-D on an empty line.
        case endOfInput
        /// Ctrl-Z; the line goes on with ``LineEditor/resume(in:)``.
        case suspended
    }

    private(set) var history: LineHistory
    private(set) var edited = EditedText()
    private let prompt: String
    private var decoder: KeyDecoder
    private var painter = LinePainter()
    private let pasteLimit: Int

    /// - Parameters:
    ///   - prompt: stands before each line.
    ///   - history: the lines that were entered before.
    ///   - pasteLimit: the most bytes of a paste.
    init(prompt: String, history: LineHistory = LineHistory(), pasteLimit: Int = PasteCollector.sizeLimit) {
        self.prompt = prompt
        self.history = history
        self.pasteLimit = pasteLimit
        decoder = KeyDecoder(pasteLimit: pasteLimit)
    }

    /// Begins a new line.
    ///
    /// - Returns: What to show.
    mutating func begin(in size: TerminalSize) -> String {
        edited = EditedText()
        painter.forget()
        return paint(in: size)
    }

    /// Shows the line again after something else was shown.
    mutating func resume(in size: TerminalSize) -> String {
        painter.forget()
        return paint(in: size)
    }

    /// Takes bytes until they are used up or the line ends.
    ///
    /// - Parameters:
    ///   - bytes: Those behind the end of the line stay.
    ///   - size: The window.
    /// - Returns: What to show, and how the line ended if it did.
    mutating func feed(
        _ bytes: inout ArraySlice<UInt8>, in size: TerminalSize
    ) -> (output: String, outcome: Outcome?) {
        var output = ""
        while let key = decoder.next(&bytes) {
            if key == .clearScreen {
                painter.forget()
                output += "\u{1B}[H\u{1B}[2J"
            }
            if key == .refusedPaste { output += tell(refusal, in: size) }
            guard let outcome = take(key) else { continue }
            edited.moveToEnd()
            output += paint(in: size) + painter.leave()
            if case .submitted(let line) = outcome { history.add(line) }
            return (output, outcome)
        }
        return (output + paint(in: size), nil)
    }

    /// Whether `bytes`, which stand behind a submitted line, hold Ctrl-C; then they are dropped up to it.
    mutating func takeInterrupt(from bytes: inout ArraySlice<UInt8>) -> Bool {
        var scout = decoder
        var rest = bytes
        while let key = scout.next(&rest) {
            guard key == .interrupt else { continue }
            (decoder, bytes) = (scout, rest)
            return true
        }
        return false
    }

    /// Shows a message in place of the line, which is then shown again below.
    private mutating func tell(_ message: String, in size: TerminalSize) -> String {
        let interrupted = edited
        edited.moveToEnd()
        defer { edited = interrupted }
        return paint(in: size) + painter.leave() + message + "\r\n"
    }

    private var refusal: String { "The paste is left out: it has more than \(pasteLimit) bytes." }

    private mutating func paint(in size: TerminalSize) -> String {
        painter.paint(LineLayout(prompt: prompt, text: edited, columns: size.columns), in: size)
    }

    private mutating func take(_ key: TerminalKey) -> Outcome? {
        switch key {
        case .enter: return .submitted(edited.text)
        case .interrupt: return .interrupted
        case .endOrDelete where edited.isEmpty: return .endOfInput
        case .suspend: return .suspended
        case .previousEntry: edited = history.previous(leaving: edited) ?? edited
        case .nextEntry: edited = history.next(leaving: edited) ?? edited
        default: edit(key)
        }
        return nil
    }

    private mutating func edit(_ key: TerminalKey) {
        switch key {
        case .text(let text), .paste(let text): edited.insert(text)
        case .newline: edited.insert("\n")
        case .left: edited.moveLeft()
        case .right: edited.moveRight()
        case .wordLeft: edited.moveWordLeft()
        case .wordRight: edited.moveWordRight()
        case .lineStart: edited.moveToLineStart()
        case .lineEnd: edited.moveToLineEnd()
        case .deleteBackward: edited.deleteBackward()
        case .deleteForward, .endOrDelete: edited.deleteForward()
        case .deleteToLineEnd: edited.deleteToLineEnd()
        case .deleteToLineStart: edited.deleteToLineStart()
        case .deleteBlankWordBackward: edited.deleteBlankWordBackward()
        case .deleteWordBackward: edited.deleteWordBackward()
        case .deleteWordForward: edited.deleteWordForward()
        case .enter, .interrupt, .suspend, .previousEntry, .nextEntry, .clearScreen, .refusedPaste: break
        }
    }
}
