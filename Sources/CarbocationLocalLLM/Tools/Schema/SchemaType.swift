/// A type that a JSON schema can ask for.
enum SchemaType: String {
    case null, boolean, integer, number, string, array, object

    /// Whether a value is of the type; a double without a fraction is an integer.
    func includes(_ value: LLMJSONValue) -> Bool {
        switch (self, value) {
        case (.null, .null), (.boolean, .bool), (.string, .string), (.array, .array), (.object, .object): true
        case (.integer, .int), (.number, .int), (.number, .double): true
        case (.integer, .double(let number)): number.isFinite && number == number.rounded()
        default: false
        }
    }

    /// The type of a value, for a person.
    static func name(of value: LLMJSONValue) -> String {
        switch value {
        case .null: "null"
        case .bool: "boolean"
        case .int: "integer"
        case .double: "number"
        case .string: "string"
        case .array: "array"
        case .object: "object"
        }
    }
}

extension LLMJSONValue {
    /// The text of a string; unlike ``stringValue``, of nothing else.
    var text: String? {
        if case .string(let text) = self { text } else { nil }
    }

    /// Whether this is an integer or a double.
    var isNumber: Bool {
        switch self {
        case .int, .double: true
        default: false
        }
    }

    /// Whether a number is less than another one; exact for integers.
    func isLess(than other: LLMJSONValue) -> Bool {
        switch (self, other) {
        case (.int(let left), .int(let right)): left < right
        default: (doubleValue ?? .nan) < (other.doubleValue ?? .nan)
        }
    }

    /// Equality in JSON's sense, where 1 and 1.0 are the same number.
    ///
    /// As deep as the shallower of the two values.
    func equalsAsJSON(_ other: LLMJSONValue) -> Bool {
        switch (self, other) {
        case (.int(let left), .double(let right)), (.double(let right), .int(let left)):
            return Int64(exactly: right) == left
        case (.array(let left), .array(let right)):
            return left.count == right.count && zip(left, right).allSatisfy { $0.equalsAsJSON($1) }
        case (.object(let left), .object(let right)):
            guard left.keys.count == right.keys.count else { return false }
            return left.pairs.allSatisfy { pair in right[pair.key].map { pair.value.equalsAsJSON($0) } ?? false }
        default:
            return self == other
        }
    }
}
