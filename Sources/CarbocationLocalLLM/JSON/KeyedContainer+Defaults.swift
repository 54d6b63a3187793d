extension KeyedDecodingContainer {
    /// The value for `key`, or `fallback` when the key is missing or null.
    ///
    /// A value of the wrong type is still an error.
    package func decode<Value: Decodable>(forKey key: Key, default fallback: Value) throws -> Value {
        try decodeIfPresent(Value.self, forKey: key) ?? fallback
    }
}

extension KeyedEncodingContainer {
    /// Writes `value` unless it is the one a decoder fills in for a missing key.
    package mutating func encode<Value: Encodable & Equatable>(
        _ value: Value, forKey key: Key, unless fallback: Value
    ) throws {
        guard value != fallback else { return }
        try encode(value, forKey: key)
    }
}
