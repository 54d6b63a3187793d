extension TerminalKey {
    /// The key of a control character.
    init?(control byte: UInt8) {
        switch byte {
        case 0x01: self = .lineStart
        case 0x02: self = .left
        case 0x03: self = .interrupt
        case 0x04: self = .endOrDelete
        case 0x05: self = .lineEnd
        case 0x06: self = .right
        case 0x08, 0x7F: self = .deleteBackward
        case 0x09: self = .text("\t")
        case 0x0A, 0x0D: self = .enter
        case 0x0B: self = .deleteToLineEnd
        case 0x0C: self = .clearScreen
        case 0x0E: self = .nextEntry
        case 0x10: self = .previousEntry
        case 0x15: self = .deleteToLineStart
        case 0x17: self = .deleteBlankWordBackward
        case 0x1A: self = .suspend
        default: return nil
        }
    }

    /// The key of a character that Alt was held with.
    init?(alternate byte: UInt8) {
        switch byte {
        case UInt8(ascii: "b"), UInt8(ascii: "B"): self = .wordLeft
        case UInt8(ascii: "f"), UInt8(ascii: "F"): self = .wordRight
        case UInt8(ascii: "d"), UInt8(ascii: "D"): self = .deleteWordForward
        case 0x7F: self = .deleteWordBackward
        default: return nil
        }
    }

    /// The key of `ESC O` and a character.
    init?(singleShift byte: UInt8) {
        switch byte {
        case UInt8(ascii: "M"): self = .enter
        case UInt8(ascii: "c"): self = .wordRight
        case UInt8(ascii: "d"): self = .wordLeft
        default:
            guard let key = TerminalKey(cursor: byte) else { return nil }
            self = key
        }
    }

    /// The key of `ESC [`, parameters and a final character.
    init?(control final: UInt8, parameters: String) {
        let parts = parameters.split(separator: ";", omittingEmptySubsequences: false)
        let byWords = parts.count == 2 && Self.wordModifiers.contains(String(parts[1]))
        if final == UInt8(ascii: "~") {
            guard let key = TerminalKey(numbered: String(parts[0]), byWords: byWords) else { return nil }
            self = key
            return
        }
        switch TerminalKey(cursor: final) {
        case .left? where byWords: self = .wordLeft
        case .right? where byWords: self = .wordRight
        case let key?: self = key
        case nil: return nil
        }
    }

    /// Alt, Ctrl, and both, with and without Shift.
    private static let wordModifiers: Set<String> = ["3", "4", "5", "6", "7", "8"]

    private init?(cursor byte: UInt8) {
        switch byte {
        case UInt8(ascii: "A"): self = .previousEntry
        case UInt8(ascii: "B"): self = .nextEntry
        case UInt8(ascii: "C"): self = .right
        case UInt8(ascii: "D"): self = .left
        case UInt8(ascii: "H"): self = .lineStart
        case UInt8(ascii: "F"): self = .lineEnd
        default: return nil
        }
    }

    private init?(numbered number: String, byWords: Bool) {
        switch number {
        case "1", "7": self = .lineStart
        case "3": self = byWords ? .deleteWordForward : .deleteForward
        case "4", "8": self = .lineEnd
        default: return nil
        }
    }
}
