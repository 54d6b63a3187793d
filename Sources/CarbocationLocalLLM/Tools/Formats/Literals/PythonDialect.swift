/// Python's literals, and JSON's `true`, `false` and `null`.
struct PythonDialect: LiteralDialect {
    static let hasTuples = true

    mutating func parseKey(_ cursor: inout ByteCursor) throws(LiteralProblem) -> String {
        guard let key = try PythonString.parse(&cursor) else {
            throw LiteralProblem(reason: "a key without quotes")
        }
        return key
    }

    mutating func parseScalar(_ cursor: inout ByteCursor) throws(LiteralProblem) -> LLMJSONValue {
        if let text = try PythonString.parse(&cursor) { return .string(text) }
        let start = cursor.position
        let word = cursor.text(cursor.take { $0.isNamePart || $0 == UInt8(ascii: "+") })
        if let value = Self.keyword(word) ?? Self.number(word) { return value }
        cursor.position = start
        throw LiteralProblem(reason: "a value that is no literal")
    }

    /// What a constant's name stands for.
    static func keyword(_ word: String) -> LLMJSONValue? {
        switch word {
        case "True", "true": .bool(true)
        case "False", "false": .bool(false)
        case "None", "null": .null
        default: nil
        }
    }

    /// A decimal number; unlike in JSON it may have a plus sign, underscores between digits, and no digits on one side
    /// of the point.
    private static func number(_ word: String) -> LLMJSONValue? {
        var bytes = Array(word.utf8)
        guard bytes.contains(where: \.isDigit), isNumber(bytes) else { return nil }
        bytes.removeAll { $0 == UInt8(ascii: "_") }
        let text = String(decoding: bytes, as: UTF8.self)
        if let whole = Int64(text) { return .int(whole) }
        guard let number = Double(text), number.isFinite else { return nil }
        return .double(number)
    }

    /// Whether the bytes are digits with a sign, a point, an exponent and single underscores between digits.
    private static func isNumber(_ bytes: [UInt8]) -> Bool {
        var previous = UInt8(ascii: "_")
        for (index, byte) in bytes.enumerated() {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E"): break
            case UInt8(ascii: "-"), UInt8(ascii: "+"):
                guard index == 0 || previous == UInt8(ascii: "e") || previous == UInt8(ascii: "E") else { return false }
            case UInt8(ascii: "_"):
                guard previous.isDigit, index + 1 < bytes.count, bytes[index + 1].isDigit else { return false }
            default: return false
            }
            previous = byte
        }
        return true
    }
}
