/// A value written as plain text, which a schema gives a type where that loses nothing.
///
/// What cannot be converted stays text, for the validator to name.
struct TextValue {
    let text: String
    /// What was said about the value where it stands.
    var notation = TaggedArgument.Notation.unspecified

    /// The value by its schema; nil if it is empty, `None` or `null` where text is not allowed.
    func typed(by schema: ValueSchema?) -> LLMJSONValue? {
        guard let types = schema?.types else { return untyped(isDeclared: schema != nil) }
        if types == [.string] || (types.contains(.string) && notation == .text) { return .string(text) }
        let word = text.trimmed
        if types.contains(.string) {
            return Self.alternative(word, types) ?? .string(text)
        }
        guard Self.saysNothing(word) else { return Self.value(word, types) ?? .string(text) }
        guard types.contains(.null) else { return nil }
        return .null
    }

    /// A value that nothing restricts: text, or an object or list if the parameter is declared, because only these are
    /// written as JSON.
    private func untyped(isDeclared: Bool) -> LLMJSONValue {
        if notation == .text { return .string(text) }
        let value = Self.json(text.trimmed)
        if notation == .json, let value { return value }
        return (isDeclared ? Self.container(value, [.array, .object]) : nil) ?? .string(text)
    }

    /// The value as one of the types other than text that are allowed too; nil unless it is written just as that value
    /// would be.
    private static func alternative(_ word: String, _ types: Set<SchemaType>) -> LLMJSONValue? {
        if types.contains(.null), word == "null" || word == "None" { return .null }
        if let value = container(json(word), types) ?? boolean(word, types) { return value }
        let number = number(word, types)
        return number?.jsonString() == word ? number : nil
    }

    private static func value(_ word: String, _ types: Set<SchemaType>) -> LLMJSONValue? {
        boolean(word.lowercased(), types) ?? number(word, types)
            ?? container(json(word), types) ?? container(printedByPython(word), types)
    }

    private static func saysNothing(_ word: String) -> Bool {
        ["", "none", "null"].contains(word.lowercased())
    }

    private static func boolean(_ word: String, _ types: Set<SchemaType>) -> LLMJSONValue? {
        guard types.contains(.boolean) else { return nil }
        switch word {
        case "true", "True": return true
        case "false", "False": return false
        default: return nil
        }
    }

    /// A number in JSON's syntax.
    ///
    /// A whole number that does not fit 64 bits would lose digits, so where it must be whole it is none.
    private static func number(_ word: String, _ types: Set<SchemaType>) -> LLMJSONValue? {
        guard !types.isDisjoint(with: [.integer, .number]), let number = JSONParser.number(word) else { return nil }
        if case .double = number, !types.contains(.number), number.intValue == nil { return nil }
        return number
    }

    private static func container(_ value: LLMJSONValue?, _ types: Set<SchemaType>) -> LLMJSONValue? {
        switch value {
        case .array? where types.contains(.array): value
        case .object? where types.contains(.object): value
        default: nil
        }
    }

    private static func json(_ word: String) -> LLMJSONValue? {
        try? LLMJSONValue(jsonString: word)
    }

    /// A list or dictionary as Python prints it, which some templates show to the model.
    private static func printedByPython(_ word: String) -> LLMJSONValue? {
        LiteralParser<PythonDialect>.value(of: ByteCursor(Array(word.utf8)))
    }
}
