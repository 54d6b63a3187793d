/// The escapes in quoted strings: Python's, which include those of JSON except for the escaped slash.
enum StringEscape {
    /// Reads an escape, from its backslash, and appends what it stands for; one that is none stays as it is written.
    static func parse(_ cursor: inout ByteCursor, into text: inout [UInt8]) throws(LiteralProblem) {
        cursor.position += 1
        guard let byte = cursor.peek else { throw LiteralProblem(reason: "a string without its end") }
        cursor.position += 1
        switch byte {
        case UInt8(ascii: "\\"), UInt8(ascii: "\""), UInt8(ascii: "'"): text.append(byte)
        case UInt8(ascii: "n"): text.append(0x0A)
        case UInt8(ascii: "r"): text.append(0x0D)
        case UInt8(ascii: "t"): text.append(0x09)
        case UInt8(ascii: "b"): text.append(0x08)
        case UInt8(ascii: "f"): text.append(0x0C)
        case UInt8(ascii: "a"): text.append(0x07)
        case UInt8(ascii: "v"): text.append(0x0B)
        case 0x0A: break  // The line goes on.
        case UInt8(ascii: "x"): try appendScalar(&cursor, digits: 2, to: &text)
        case UInt8(ascii: "u"): try appendUnit(&cursor, to: &text)
        case UInt8(ascii: "U"): try appendScalar(&cursor, digits: 8, to: &text)
        case UInt8(ascii: "0")...UInt8(ascii: "7"):
            cursor.position -= 1
            appendOctal(&cursor, to: &text)
        default: text += [UInt8(ascii: "\\"), byte]
        }
    }

    private static func appendScalar(
        _ cursor: inout ByteCursor, digits: Int, to text: inout [UInt8]
    ) throws(LiteralProblem) {
        append(Unicode.Scalar(try hexadecimal(&cursor, digits: digits)), to: &text)
    }

    /// Appends a UTF-16 unit, together with the one in the next escape if both make one character; a lone half becomes
    /// U+FFFD.
    private static func appendUnit(_ cursor: inout ByteCursor, to text: inout [UInt8]) throws(LiteralProblem) {
        let lead = try hexadecimal(&cursor, digits: 4)
        let afterLead = cursor.position
        if (0xD800..<0xDC00).contains(lead), cursor.skip(unitEscape) {
            let trail = try hexadecimal(&cursor, digits: 4)
            if (0xDC00..<0xE000).contains(trail) {
                return append(Unicode.Scalar(0x1_0000 + ((lead & 0x3FF) << 10 | trail & 0x3FF)), to: &text)
            }
            cursor.position = afterLead
        }
        append(Unicode.Scalar(lead), to: &text)
    }

    private static let unitEscape: Marker = "\\u"

    private static func appendOctal(_ cursor: inout ByteCursor, to text: inout [UInt8]) {
        var value: UInt32 = 0
        for _ in 0..<3 {
            guard let digit = cursor.peek, (UInt8(ascii: "0")...UInt8(ascii: "7")).contains(digit) else { break }
            value = value * 8 + UInt32(digit - UInt8(ascii: "0"))
            cursor.position += 1
        }
        append(Unicode.Scalar(value), to: &text)
    }

    private static func append(_ scalar: Unicode.Scalar?, to text: inout [UInt8]) {
        text.append(contentsOf: Character(scalar ?? "\u{FFFD}").utf8)
    }

    private static func hexadecimal(_ cursor: inout ByteCursor, digits: Int) throws(LiteralProblem) -> UInt32 {
        let start = cursor.position
        guard start + digits <= cursor.end else { throw LiteralProblem(reason: "a string without its end") }
        cursor.position += digits
        let text = cursor.text(start..<cursor.position)
        guard text.utf8.allSatisfy(isHexadecimalDigit), let value = UInt32(text, radix: 16) else {
            throw LiteralProblem(reason: "an escape without its hexadecimal digits")
        }
        return value
    }

    private static func isHexadecimalDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "f"), UInt8(ascii: "A")...UInt8(ascii: "F"): true
        default: byte.isDigit
        }
    }
}
