extension LLMJSONValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral, ExpressibleByStringLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    /// Creates `null`.
    public init(nilLiteral: ()) {
        self = .null
    }

    /// Creates a boolean.
    public init(booleanLiteral value: Bool) {
        self = .bool(value)
    }

    /// Creates a whole number.
    public init(integerLiteral value: Int64) {
        self = .int(value)
    }

    /// Creates a number with a fraction, even if it is 0.
    public init(floatLiteral value: Double) {
        self = .double(value)
    }

    /// Creates a text.
    public init(stringLiteral value: String) {
        self = .string(value)
    }

    /// Creates a list.
    public init(arrayLiteral elements: LLMJSONValue...) {
        self = .array(elements)
    }

    /// Creates an object in the order given; of equal keys the last value counts.
    public init(dictionaryLiteral elements: (String, LLMJSONValue)...) {
        self = .object(LLMJSONObject(elements))
    }
}
