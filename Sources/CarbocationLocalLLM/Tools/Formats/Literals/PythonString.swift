/// Python's string literals: either quote, one or three of them, with a prefix, and adjacent ones joined.
enum PythonString {
    /// Reads a string if one begins here, else nothing.
    static func parse(_ cursor: inout ByteCursor) throws(LiteralProblem) -> String? {
        guard var text = try parseOne(&cursor) else { return nil }
        while true {
            let end = cursor.position
            cursor.skipWhiteSpace()
            guard let next = try parseOne(&cursor) else {
                cursor.position = end
                return String(decoding: text, as: UTF8.self)
            }
            text += next
        }
    }

    private static func parseOne(_ cursor: inout ByteCursor) throws(LiteralProblem) -> [UInt8]? {
        let start = cursor.position
        let prefix = cursor.text(cursor.take { prefixLetters.contains($0) })
        guard let quote = cursor.peek, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
            cursor.position = start
            return nil
        }
        // Bytes and formatted strings are no values.
        guard ["", "r", "R", "u", "U"].contains(prefix) else {
            throw LiteralProblem(reason: "a string with the prefix \(prefix)")
        }
        let width = openingWidth(cursor, quote)
        cursor.position += width
        return try parseContent(&cursor, quote: quote, width: width, isRaw: prefix == "r" || prefix == "R")
    }

    private static let prefixLetters = Set("rRuUbBfF".utf8)

    private static func openingWidth(_ cursor: ByteCursor, _ quote: UInt8) -> Int {
        isRun(of: quote, length: 3, at: cursor) ? 3 : 1
    }

    private static func isRun(of quote: UInt8, length: Int, at cursor: ByteCursor) -> Bool {
        guard cursor.position + length <= cursor.end else { return false }
        return cursor.bytes[cursor.position..<cursor.position + length].allSatisfy { $0 == quote }
    }

    private static func parseContent(
        _ cursor: inout ByteCursor, quote: UInt8, width: Int, isRaw: Bool
    ) throws(LiteralProblem) -> [UInt8] {
        var text: [UInt8] = []
        while let byte = cursor.peek {
            if byte == quote, isRun(of: quote, length: width, at: cursor) {
                cursor.position += width
                return text
            }
            if byte != UInt8(ascii: "\\") {
                text.append(byte)
                cursor.position += 1
            } else if isRaw {
                text.append(contentsOf: cursor.bytes[cursor.position..<min(cursor.position + 2, cursor.end)])
                cursor.position += 2
            } else {
                try StringEscape.parse(&cursor, into: &text)
            }
        }
        throw LiteralProblem(reason: "a string without its end")
    }
}
