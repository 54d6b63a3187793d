/// A JSON object that keeps the order of its keys.
///
/// Two objects are equal if they have the same keys with the same values, in whatever order. Keys are compared as
/// Swift strings, that is, by canonical equivalence.
public struct LLMJSONObject: Sendable, Hashable, ExpressibleByDictionaryLiteral {
    /// The keys in order.
    public private(set) var keys: [String]
    private var values: [String: LLMJSONValue]

    /// Creates an object in the order given; of equal keys the last value counts, at the place of the first.
    public init(_ pairs: [(String, LLMJSONValue)] = []) {
        keys = []
        values = [:]
        keys.reserveCapacity(pairs.count)
        values.reserveCapacity(pairs.count)
        for (key, value) in pairs { set(value, forKey: key) }
    }

    /// Creates an object in the order given; of equal keys the last value counts, at the place of the first.
    public init(dictionaryLiteral elements: (String, LLMJSONValue)...) {
        self.init(elements)
    }

    /// The keys with their values, in order.
    public var pairs: [(key: String, value: LLMJSONValue)] {
        keys.compactMap { key in values[key].map { (key, $0) } }
    }

    /// The value under a key.
    ///
    /// A new key goes to the end, nil removes the key. Removing takes time in proportion to the number of keys.
    public subscript(key: String) -> LLMJSONValue? {
        get { values[key] }
        set {
            if let newValue {
                set(newValue, forKey: key)
            } else if values.removeValue(forKey: key) != nil {
                keys.removeAll { $0 == key }
            }
        }
    }

    /// Equality without regard to order.
    public static func == (lhs: LLMJSONObject, rhs: LLMJSONObject) -> Bool {
        lhs.values == rhs.values
    }

    /// Hashes keys and values without regard to order.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(values)
    }

    private mutating func set(_ value: LLMJSONValue, forKey key: String) {
        if values.updateValue(value, forKey: key) == nil { keys.append(key) }
    }
}
