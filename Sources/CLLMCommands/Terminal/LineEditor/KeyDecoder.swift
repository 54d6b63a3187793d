import CarbocationLocalLLM

/// Turns the bytes of a terminal into keys, wherever they are cut.
///
/// An escape key of its own cannot be told from the beginning of a sequence, so it joins the key behind it. Sequences
/// that mean nothing here are left out. Control characters end a sequence that was begun, so that Ctrl-C always works,
/// but within a paste that is not too long.
struct KeyDecoder: Sendable {
    private enum State: Hashable {
        case ground
        case escape
        /// After `ESC O`.
        case singleShift
        /// After `ESC [`, with the parameters so far.
        case control(parameters: [UInt8])
        /// After `ESC [ [`, as the Linux console begins function keys.
        case console
        case paste
    }

    /// No key has longer parameters.
    private static let parameterLimit = 32

    private var state = State.ground
    private var text = UTF8Assembler()
    private var paste: PasteCollector

    /// - Parameter pasteLimit: the most bytes of a paste.
    init(pasteLimit: Int = PasteCollector.sizeLimit) {
        paste = PasteCollector(limit: pasteLimit)
    }

    /// The next key, nil when `bytes` are used up.
    mutating func next(_ bytes: inout ArraySlice<UInt8>) -> TerminalKey? {
        while let byte = bytes.first {
            if state == .ground {
                if let key = ground(byte, &bytes) { return key }
            } else if let key = sequence(byte, &bytes) {
                return key
            }
        }
        return nil
    }

    private mutating func ground(_ byte: UInt8, _ bytes: inout ArraySlice<UInt8>) -> TerminalKey? {
        guard Self.isControl(byte) else { return typed(&bytes) }
        // Half a character that something else follows will not be completed.
        if !text.isAtCharacterBoundary { return .text(text.finish()) }
        bytes.removeFirst()
        guard byte == Self.escape else { return TerminalKey(control: byte) }
        state = .escape
        return nil
    }

    private mutating func typed(_ bytes: inout ArraySlice<UInt8>) -> TerminalKey? {
        let run = bytes.prefix { !Self.isControl($0) }
        bytes.removeFirst(run.count)
        let typed = text.push(Array(run))
        return typed.isEmpty ? nil : .text(typed)
    }

    private mutating func sequence(_ byte: UInt8, _ bytes: inout ArraySlice<UInt8>) -> TerminalKey? {
        if state == .paste { return pasted(&bytes) }
        if byte == Self.escape {
            bytes.removeFirst()
            state = .escape
            return nil
        }
        // What cannot be part of a sequence ends it and counts for itself.
        guard byte >= 0x20, byte < 0x80, byte != 0x7F || state == .escape else { return unexpected(byte, &bytes) }
        bytes.removeFirst()
        switch state {
        case .escape: return afterEscape(byte)
        case .singleShift: return ending(TerminalKey(singleShift: byte))
        case .control(let parameters): return control(byte, parameters)
        case .console, .ground, .paste: return ending(nil)
        }
    }

    private mutating func unexpected(_ byte: UInt8, _ bytes: inout ArraySlice<UInt8>) -> TerminalKey? {
        let follows = state == .escape
        state = .ground
        // Alt-Enter.
        guard follows, byte == 0x0D || byte == 0x0A else { return nil }
        bytes.removeFirst()
        return .newline
    }

    private mutating func afterEscape(_ byte: UInt8) -> TerminalKey? {
        switch byte {
        case UInt8(ascii: "["): state = .control(parameters: [])
        case UInt8(ascii: "O"): state = .singleShift
        default: return ending(TerminalKey(alternate: byte))
        }
        return nil
    }

    private mutating func control(_ byte: UInt8, _ parameters: [UInt8]) -> TerminalKey? {
        guard byte >= 0x40 else {
            if parameters.count < Self.parameterLimit { state = .control(parameters: parameters + [byte]) }
            return nil
        }
        if byte == UInt8(ascii: "["), parameters.isEmpty {
            state = .console
            return nil
        }
        if byte == UInt8(ascii: "~"), parameters == Array("200".utf8) {
            state = .paste
            return nil
        }
        return ending(TerminalKey(control: byte, parameters: String(decoding: parameters, as: UTF8.self)))
    }

    private mutating func pasted(_ bytes: inout ArraySlice<UInt8>) -> TerminalKey? {
        while let byte = bytes.popFirst() {
            switch paste.take(byte) {
            case .text(let text)?: return ending(.paste(text))
            case .refused?: return ending(.refusedPaste)
            case nil: continue
            }
        }
        return nil
    }

    private mutating func ending(_ key: TerminalKey?) -> TerminalKey? {
        state = .ground
        return key
    }

    private static let escape: UInt8 = 0x1B

    private static func isControl(_ byte: UInt8) -> Bool { byte < 0x20 || byte == 0x7F }
}
