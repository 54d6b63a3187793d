extension JSONParser {
    /// Reads a string, from its opening to its closing quote.
    mutating func parseString() throws -> String {
        position += 1
        let start = position
        try skipPlainText()
        if peek == UInt8(ascii: "\"") {
            defer { position += 1 }
            return String(decoding: UnsafeBufferPointer(rebasing: bytes[start..<position]), as: UTF8.self)
        }
        var text = Array(bytes[start..<position])
        while !skip(UInt8(ascii: "\"")) {
            try parseEscape(into: &text)
            let plain = position
            try skipPlainText()
            text.append(contentsOf: bytes[plain..<position])
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Steps to the next quote or backslash.
    private mutating func skipPlainText() throws {
        while let byte = peek, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") {
            guard byte >= 0x20 else { throw Self.syntaxError("a raw control character in a string", at: position) }
            position += 1
        }
        guard position < bytes.count else { throw unexpected("the end of a string") }
    }

    private mutating func parseEscape(into text: inout [UInt8]) throws {
        position += 1
        guard let byte = peek else { throw unexpected("an escaped character") }
        position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(byte)
        case UInt8(ascii: "b"): text.append(0x08)
        case UInt8(ascii: "f"): text.append(0x0C)
        case UInt8(ascii: "n"): text.append(0x0A)
        case UInt8(ascii: "r"): text.append(0x0D)
        case UInt8(ascii: "t"): text.append(0x09)
        case UInt8(ascii: "u"): text.append(contentsOf: Character(try parseUnicodeEscape()).utf8)
        default:
            position -= 1
            throw unexpected("an escaped character")
        }
    }

    /// Reads the digits of a `\u` escape, and a second escape if both together make one character.
    private mutating func parseUnicodeEscape() throws -> Unicode.Scalar {
        let unit = try parseHexUnit()
        if let scalar = Unicode.Scalar(unit) { return scalar }
        let afterFirst = position
        if UTF16.isLeadSurrogate(unit), skip(UInt8(ascii: "\\")), skip(UInt8(ascii: "u")) {
            let trail = try parseHexUnit()
            if UTF16.isTrailSurrogate(trail) {
                return Self.scalar(lead: unit, trail: trail)
            }
        }
        // What follows is no second half: it is read again for what it is.
        position = afterFirst
        return "\u{FFFD}"
    }

    private mutating func parseHexUnit() throws -> UInt16 {
        var unit: UInt16 = 0
        for _ in 0..<4 {
            guard let digit = peek.flatMap(Self.hexDigit) else { throw unexpected("four hexadecimal digits") }
            unit = unit << 4 | digit
            position += 1
        }
        return unit
    }

    private static func hexDigit(_ byte: UInt8) -> UInt16? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt16(byte - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt16(byte - UInt8(ascii: "a") + 10)
        case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt16(byte - UInt8(ascii: "A") + 10)
        default: nil
        }
    }

    private static func scalar(lead: UInt16, trail: UInt16) -> Unicode.Scalar {
        let value = 0x1_0000 + (UInt32(lead & 0x3FF) << 10 | UInt32(trail & 0x3FF))
        return Unicode.Scalar(value) ?? "\u{FFFD}"
    }
}
