/// Reads values that models write in other notations than JSON.
///
/// Keeps the open containers in a list of its own, so that hostile nesting can exhaust no stack, and visits each byte
/// once.
struct LiteralParser<Dialect: LiteralDialect> {
    /// A container that is being read.
    private struct Frame {
        /// The bracket that ends it.
        let closer: UInt8
        /// The key whose value comes next; nil in a list.
        var key: String?
        var elements: [LLMJSONValue] = []
        var object = LLMJSONObject()
        var hasComma = false

        var value: LLMJSONValue {
            if closer == UInt8(ascii: "}") { return .object(object) }
            // Round brackets around a single value, without a comma, only group it.
            if closer == UInt8(ascii: ")"), !hasComma, let element = elements.first { return element }
            return .array(elements)
        }
    }

    var cursor: ByteCursor
    private var dialect = Dialect()
    private var frames: [Frame] = []

    init(_ cursor: ByteCursor) {
        self.cursor = cursor
    }

    /// The value that the whole text is; nil if it is none or there is more.
    static func value(of cursor: ByteCursor) -> LLMJSONValue? {
        var parser = LiteralParser(cursor)
        guard let value = try? parser.parseValue() else { return nil }
        parser.cursor.skipWhiteSpace()
        guard parser.cursor.isAtEnd else { return nil }
        return value
    }

    /// Reads one value.
    mutating func parseValue() throws(LiteralProblem) -> LLMJSONValue {
        while true {
            // Nil means that a container was opened, whose first member comes next.
            guard var value = try beginValue() else { continue }
            while !frames.isEmpty, let whole = try addToInnermost(value) { value = whole }
            if frames.isEmpty { return value }
        }
    }

    /// Reads a scalar or an empty container, or opens a container and reads up to its first member.
    private mutating func beginValue() throws(LiteralProblem) -> LLMJSONValue? {
        cursor.skipWhiteSpace()
        switch cursor.peek {
        case UInt8(ascii: "{"): return try open(closer: UInt8(ascii: "}"))
        case UInt8(ascii: "["): return try open(closer: UInt8(ascii: "]"))
        case UInt8(ascii: "(") where Dialect.hasTuples: return try open(closer: UInt8(ascii: ")"))
        case nil: throw LiteralProblem(reason: "the end of the text instead of a value")
        default: return try dialect.parseScalar(&cursor)
        }
    }

    private mutating func open(closer: UInt8) throws(LiteralProblem) -> LLMJSONValue? {
        guard frames.count < JSONParser.maximumDepth else {
            throw LiteralProblem(reason: "nesting deeper than \(JSONParser.maximumDepth) levels")
        }
        cursor.position += 1
        cursor.skipWhiteSpace()
        var frame = Frame(closer: closer)
        if cursor.skip(closer) { return frame.value }
        if closer == UInt8(ascii: "}") { frame.key = try parseKey() }
        frames.append(frame)
        return nil
    }

    /// Adds a member to the innermost container: gives the container if it ends here, else nil.
    private mutating func addToInnermost(_ value: LLMJSONValue) throws(LiteralProblem) -> LLMJSONValue? {
        let innermost = frames.count - 1
        let closer = frames[innermost].closer
        if let key = frames[innermost].key {
            frames[innermost].object[key] = value
        } else {
            frames[innermost].elements.append(value)
        }
        cursor.skipWhiteSpace()
        let hasComma = cursor.skip(UInt8(ascii: ","))
        if hasComma {
            frames[innermost].hasComma = true
            cursor.skipWhiteSpace()
        }
        if cursor.skip(closer) { return frames.removeLast().value }
        guard hasComma else { throw LiteralProblem(reason: "a list or object without its end") }
        if frames[innermost].key != nil { frames[innermost].key = try parseKey() }
        return nil
    }

    private mutating func parseKey() throws(LiteralProblem) -> String {
        let key = try dialect.parseKey(&cursor)
        cursor.skipWhiteSpace()
        guard cursor.skip(UInt8(ascii: ":")) else { throw LiteralProblem(reason: "a key without a value") }
        return key
    }
}
