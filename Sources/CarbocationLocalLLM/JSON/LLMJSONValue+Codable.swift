extension LLMJSONValue: Codable {
    private struct MemberName: CodingKey {
        var stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) {
            self.stringValue = stringValue
        }

        init?(intValue: Int) {
            nil
        }
    }

    /// Decodes a value through any decoder.
    ///
    /// Decoders do not keep the order of keys, so they are sorted. Foundation's coders also write `1.0` as `1`: such
    /// a double comes back as an integer. Use ``init(jsonString:)`` where either matters.
    public init(from decoder: any Decoder) throws {
        if let scalar = try Self.scalar(from: decoder) {
            self = scalar
        } else if let container = try? decoder.container(keyedBy: MemberName.self) {
            try Self.checkDepth(of: decoder)
            let pairs = try container.allKeys.sorted { $0.stringValue < $1.stringValue }.map { key in
                (key.stringValue, try container.decode(LLMJSONValue.self, forKey: key))
            }
            self = .object(LLMJSONObject(pairs))
        } else {
            var container = try decoder.unkeyedContainer()
            try Self.checkDepth(of: decoder)
            var elements: [LLMJSONValue] = []
            while !container.isAtEnd { elements.append(try container.decode(LLMJSONValue.self)) }
            self = .array(elements)
        }
    }

    /// Encodes the value as the encoder's own containers and scalars.
    ///
    /// Whether numbers that are not finite can be encoded is up to the encoder.
    public func encode(to encoder: any Encoder) throws {
        switch self {
        case .object(let object):
            var container = encoder.container(keyedBy: MemberName.self)
            for (key, value) in object.pairs { try container.encode(value, forKey: MemberName(stringValue: key)) }
        case .array(let elements):
            var container = encoder.unkeyedContainer()
            for element in elements { try container.encode(element) }
        case .null:
            var container = encoder.singleValueContainer()
            try container.encodeNil()
        case .bool(let value): try value.encode(to: encoder)
        case .int(let number): try number.encode(to: encoder)
        case .double(let number): try number.encode(to: encoder)
        case .string(let text): try text.encode(to: encoder)
        }
    }

    private static func scalar(from decoder: any Decoder) throws -> LLMJSONValue? {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() { return .null }
        if let text = try? container.decode(String.self) { return .string(text) }
        if let value = try? container.decode(Bool.self) { return .bool(value) }
        if let number = try? container.decode(Int64.self) { return .int(number) }
        if let number = try? container.decode(Double.self) { return .double(number) }
        return nil
    }

    /// Decoding is recursive, and not every decoder bounds the depth of its input.
    private static func checkDepth(of decoder: any Decoder) throws {
        guard decoder.codingPath.count > JSONParser.maximumDepth else { return }
        throw DecodingError.dataCorrupted(
            DecodingError.Context(
                codingPath: decoder.codingPath,
                debugDescription: "The JSON is nested deeper than \(JSONParser.maximumDepth) levels."
            ))
    }
}
