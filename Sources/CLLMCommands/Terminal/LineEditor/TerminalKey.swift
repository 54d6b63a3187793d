/// What a person did at the keyboard.
enum TerminalKey: Sendable, Hashable {
    /// Typed text without control characters, in pieces that depend on how it arrived.
    case text(String)
    /// Pasted text, whole, with its line breaks.
    case paste(String)
    /// A paste that is too long, of which nothing is kept.
    case refusedPaste
    case enter
    /// A line break that does not submit.
    case newline
    case left, right, wordLeft, wordRight, lineStart, lineEnd
    case deleteBackward, deleteForward, deleteToLineEnd, deleteToLineStart
    /// Deletes to the last blank.
    case deleteBlankWordBackward
    case deleteWordBackward, deleteWordForward
    case previousEntry, nextEntry
    case clearScreen
    case interrupt
    /// Ends the input on an empty line, else deletes forward.
    case endOrDelete
    case suspend
}
