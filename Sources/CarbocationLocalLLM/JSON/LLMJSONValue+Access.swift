extension LLMJSONValue {
    /// The object, or nil.
    public var objectValue: LLMJSONObject? {
        if case .object(let object) = self { object } else { nil }
    }

    /// The elements of an array, or nil.
    public var arrayValue: [LLMJSONValue]? {
        if case .array(let elements) = self { elements } else { nil }
    }

    /// The text of a string, or a number or boolean as JSON writes it; nil for everything else.
    public var stringValue: String? {
        switch self {
        case .string(let text): text
        case .bool, .int: jsonString()
        case .double(let number): number.isFinite ? jsonString() : nil
        case .null, .array, .object: nil
        }
    }

    /// The whole number; also of a double that is one, and of a string in JSON's number syntax.
    ///
    /// Nil for what does not fit 64 bits.
    public var intValue: Int64? {
        switch self {
        case .int(let number): number
        case .double(let number): Int64(exactly: number)
        case .string(let text): JSONParser.number(text)?.intValue
        case .null, .bool, .array, .object: nil
        }
    }

    /// The number; also of a string in JSON's number syntax.
    public var doubleValue: Double? {
        switch self {
        case .int(let number): Double(number)
        case .double(let number): number
        case .string(let text): JSONParser.number(text)?.doubleValue
        case .null, .bool, .array, .object: nil
        }
    }

    /// The boolean, or nil.
    public var boolValue: Bool? {
        if case .bool(let value) = self { value } else { nil }
    }

    /// The value under a key; nil if there is none or this is no object.
    public func value(forKey key: String) -> LLMJSONValue? {
        objectValue?[key]
    }

    /// The ``stringValue`` under a key.
    public func string(forKey key: String) -> String? {
        value(forKey: key)?.stringValue
    }

    /// The ``doubleValue`` under a key.
    public func double(forKey key: String) -> Double? {
        value(forKey: key)?.doubleValue
    }

    /// The ``arrayValue`` under a key.
    public func array(forKey key: String) -> [LLMJSONValue]? {
        value(forKey: key)?.arrayValue
    }
}
