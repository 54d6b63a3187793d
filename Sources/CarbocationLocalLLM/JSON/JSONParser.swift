/// A strict reader of RFC 8259.
///
/// Keeps the open containers in a list of its own, so that hostile nesting can exhaust no stack, and visits each byte
/// once. The input must be valid UTF-8.
struct JSONParser {
    /// How deep containers may be nested.
    static let maximumDepth = 512

    /// A container that is being read.
    private struct Frame {
        /// The key whose value comes next; nil in an array.
        var key: String?
        var elements: [LLMJSONValue] = []
        var object = LLMJSONObject()
    }

    let bytes: UnsafeBufferPointer<UInt8>
    var position = 0
    private var frames: [Frame] = []

    init(_ bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = bytes
    }

    /// Reads one value with nothing but white space around it.
    static func parse(_ bytes: UnsafeBufferPointer<UInt8>) throws -> LLMJSONValue {
        var parser = JSONParser(bytes)
        let value = try parser.parseDocument()
        parser.skipWhiteSpace()
        guard parser.position == bytes.count else { throw parser.unexpected("the end of the text") }
        return value
    }

    /// The number that `text` is, if it is one in JSON's syntax and nothing else.
    static func number(_ text: String) -> LLMJSONValue? {
        var text = text
        return text.withUTF8 { bytes in
            var parser = JSONParser(bytes)
            guard let number = try? parser.parseNumber(), parser.position == bytes.count else { return nil }
            return number
        }
    }

    private mutating func parseDocument() throws -> LLMJSONValue {
        while true {
            // Nil means that a container was opened, whose first member comes next.
            guard var value = try beginValue() else { continue }
            while !frames.isEmpty, let whole = try addToInnermost(value) { value = whole }
            if frames.isEmpty { return value }
        }
    }

    /// Reads a scalar or an empty container, or opens a container and reads up to its first member.
    private mutating func beginValue() throws -> LLMJSONValue? {
        skipWhiteSpace()
        switch peek {
        case UInt8(ascii: "{"):
            try requireDepth()
            position += 1
            skipWhiteSpace()
            if skip(UInt8(ascii: "}")) { return .object(LLMJSONObject()) }
            frames.append(Frame(key: try parseKey()))
            return nil
        case UInt8(ascii: "["):
            try requireDepth()
            position += 1
            skipWhiteSpace()
            if skip(UInt8(ascii: "]")) { return .array([]) }
            frames.append(Frame())
            return nil
        case UInt8(ascii: "\""): return .string(try parseString())
        case UInt8(ascii: "t"): return try parseKeyword("true", .bool(true))
        case UInt8(ascii: "f"): return try parseKeyword("false", .bool(false))
        case UInt8(ascii: "n"): return try parseKeyword("null", .null)
        case UInt8(ascii: "-"), (UInt8(ascii: "0")...UInt8(ascii: "9"))?: return try parseNumber()
        default: throw unexpected("a value")
        }
    }

    /// Adds a member to the innermost container: gives the container if it ends here, else nil.
    ///
    /// Members are added in place; a copy of the container for each of them would cost quadratic time.
    private mutating func addToInnermost(_ value: LLMJSONValue) throws -> LLMJSONValue? {
        let innermost = frames.count - 1
        skipWhiteSpace()
        if let key = frames[innermost].key {
            frames[innermost].object[key] = value
            if skip(UInt8(ascii: "}")) { return .object(frames.removeLast().object) }
            guard skip(UInt8(ascii: ",")) else { throw unexpected("',' or '}'") }
            skipWhiteSpace()
            frames[innermost].key = try parseKey()
        } else {
            frames[innermost].elements.append(value)
            if skip(UInt8(ascii: "]")) { return .array(frames.removeLast().elements) }
            guard skip(UInt8(ascii: ",")) else { throw unexpected("',' or ']'") }
        }
        return nil
    }

    /// Reads a key and the colon after it.
    private mutating func parseKey() throws -> String {
        guard peek == UInt8(ascii: "\"") else { throw unexpected("a key in quotes") }
        let key = try parseString()
        skipWhiteSpace()
        guard skip(UInt8(ascii: ":")) else { throw unexpected("':'") }
        return key
    }

    private mutating func parseKeyword(_ keyword: StaticString, _ value: LLMJSONValue) throws -> LLMJSONValue {
        for offset in 0..<keyword.utf8CodeUnitCount {
            guard skip(keyword.utf8Start[offset]) else { throw unexpected("a value") }
        }
        return value
    }

    private func requireDepth() throws {
        guard frames.count >= Self.maximumDepth else { return }
        throw Self.syntaxError("nesting deeper than \(Self.maximumDepth) levels", at: position)
    }
}

extension JSONParser {
    /// The byte at the position; nil at the end.
    var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

    /// Steps over `byte` if it comes next.
    mutating func skip(_ byte: UInt8) -> Bool {
        guard peek == byte else { return false }
        position += 1
        return true
    }

    mutating func skipWhiteSpace() {
        while let byte = peek, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
    }

    func unexpected(_ expected: String) -> DecodingError {
        let found = position < bytes.count ? "an unexpected character" : "the end of the text"
        return Self.syntaxError("\(found) instead of \(expected)", at: position)
    }

    static func syntaxError(_ problem: String, at offset: Int) -> DecodingError {
        DecodingError.dataCorrupted(
            DecodingError.Context(codingPath: [], debugDescription: "Invalid JSON at byte \(offset): \(problem)."))
    }
}
