/// The arguments of a call in Python's syntax.
enum PythonArguments {
    /// Reads from the opening to the closing bracket: keywords with literals as values, or one dictionary.
    static func parse(_ cursor: inout ByteCursor) throws(LiteralProblem) -> LLMJSONValue {
        cursor.position += 1
        cursor.skipWhiteSpace()
        if cursor.peek == UInt8(ascii: "{") { return try dictionary(&cursor) }
        var object = LLMJSONObject()
        while !cursor.skip(UInt8(ascii: ")")) {
            let key = try keyword(&cursor)
            guard object[key] == nil else { throw LiteralProblem(reason: "the keyword \(key) twice") }
            object[key] = try value(&cursor)
            try endMember(&cursor)
        }
        return .object(object)
    }

    /// Reads a dictionary as the only argument, in JSON if it is that, else in Python.
    private static func dictionary(_ cursor: inout ByteCursor) throws(LiteralProblem) -> LLMJSONValue {
        let end = JSONText.end(from: cursor)
        var value: LLMJSONValue?
        if end.isComplete {
            value = JSONText.value(cursor.bytes, cursor.position..<end.position, isStrict: true)
        }
        if let value {
            cursor.position = end.position
            try endMember(&cursor)
            try requireEnd(&cursor)
            return value
        }
        let literal = try Self.value(&cursor)
        try endMember(&cursor)
        try requireEnd(&cursor)
        return literal
    }

    private static func requireEnd(_ cursor: inout ByteCursor) throws(LiteralProblem) {
        guard cursor.skip(UInt8(ascii: ")")) else { throw LiteralProblem(reason: "more than one dictionary") }
    }

    /// Reads a keyword and the equals sign after it.
    private static func keyword(_ cursor: inout ByteCursor) throws(LiteralProblem) -> String {
        let keyword = cursor.text(cursor.take(while: \.isNamePart))
        cursor.skipWhiteSpace()
        guard !keyword.isEmpty, cursor.skip(UInt8(ascii: "=")), cursor.peek != UInt8(ascii: "=") else {
            throw LiteralProblem(reason: "a value without its keyword")
        }
        return keyword
    }

    private static func value(_ cursor: inout ByteCursor) throws(LiteralProblem) -> LLMJSONValue {
        var parser = LiteralParser<PythonDialect>(cursor)
        let value = try parser.parseValue()
        cursor = parser.cursor
        return value
    }

    /// Steps over a comma; without one the arguments must end.
    private static func endMember(_ cursor: inout ByteCursor) throws(LiteralProblem) {
        cursor.skipWhiteSpace()
        if cursor.skip(UInt8(ascii: ",")) { return cursor.skipWhiteSpace() }
        guard cursor.peek == UInt8(ascii: ")") else { throw LiteralProblem(reason: "no end") }
    }
}
