/// What a JSON schema says about the type of a value and of its members.
///
/// Follows local references and combinations; everything else in a schema is for the validator.
struct ValueSchema {
    /// How often references and combinations are followed.
    private static let maximumDepth = 8

    private let root: LLMJSONValue
    private let schema: LLMJSONValue

    init(_ schema: LLMJSONValue) {
        root = schema
        self.schema = schema
    }

    private init(_ schema: LLMJSONValue, in root: LLMJSONValue) {
        self.root = root
        self.schema = schema
    }

    /// The types that the value may have; nil if nothing restricts them.
    var types: Set<SchemaType>? { types(of: schema, depth: 0) }

    /// The names of the declared members.
    var propertyNames: [String] {
        Array(Set(parts(of: schema, depth: 0).flatMap { $0["properties"]?.objectValue?.keys ?? [] }))
    }

    /// Whether there may be members that are not declared: by a statement, or because none is.
    var isOpen: Bool {
        additional.map { $0 != .bool(false) } ?? propertyNames.isEmpty
    }

    func declares(_ key: String) -> Bool {
        property(key) != nil
    }

    /// What is said about a member; for one that is not declared, what is said about all of these.
    func member(_ key: String) -> ValueSchema? {
        property(key) ?? additional.map { ValueSchema($0, in: root) }
    }

    /// What is said about the elements of a list.
    var items: ValueSchema? {
        parts(of: schema, depth: 0).lazy.compactMap { $0["items"] }.first.map { ValueSchema($0, in: root) }
    }

    private func property(_ key: String) -> ValueSchema? {
        parts(of: schema, depth: 0).lazy.compactMap { $0["properties"]?.objectValue?[key] }.first
            .map { ValueSchema($0, in: root) }
    }

    private var additional: LLMJSONValue? {
        parts(of: schema, depth: 0).lazy.compactMap { $0["additionalProperties"] }.first
    }

    /// The schemas that together describe the value, its own first.
    private func parts(of schema: LLMJSONValue, depth: Int) -> [LLMJSONObject] {
        guard depth < Self.maximumDepth, let object = schema.objectValue else { return [] }
        let combined = [target(of: object)].compactMap { $0 } + (object["allOf"]?.arrayValue ?? [])
        return [object] + combined.flatMap { parts(of: $0, depth: depth + 1) }
    }

    private func target(of object: LLMJSONObject) -> LLMJSONValue? {
        object["$ref"]?.text.flatMap { SchemaReference.resolve($0, in: root) }
    }

    private func types(of schema: LLMJSONValue, depth: Int) -> Set<SchemaType>? {
        guard depth < Self.maximumDepth, let object = schema.objectValue else { return nil }
        if let target = target(of: object) { return types(of: target, depth: depth + 1) }
        if let named = Self.namedTypes(object["type"]) { return named }
        if let values = object["enum"]?.arrayValue ?? object["const"].map({ [$0] }) {
            return Set(values.compactMap { SchemaType(rawValue: SchemaType.name(of: $0)) })
        }
        if let alternatives = object["anyOf"]?.arrayValue ?? object["oneOf"]?.arrayValue {
            return union(of: alternatives, depth: depth)
        }
        if let parts = object["allOf"]?.arrayValue {
            return intersection(of: parts, depth: depth)
        }
        return Self.impliedTypes(object)
    }

    private func union(of alternatives: [LLMJSONValue], depth: Int) -> Set<SchemaType>? {
        var union: Set<SchemaType> = []
        for alternative in alternatives {
            guard let types = types(of: alternative, depth: depth + 1) else { return nil }
            union.formUnion(types)
        }
        return union
    }

    private func intersection(of parts: [LLMJSONValue], depth: Int) -> Set<SchemaType>? {
        let restrictions = parts.compactMap { types(of: $0, depth: depth + 1) }
        guard let first = restrictions.first else { return nil }
        return restrictions.dropFirst().reduce(first) { $0.intersection($1) }
    }

    private static func namedTypes(_ type: LLMJSONValue?) -> Set<SchemaType>? {
        switch type {
        case .string(let name): SchemaType(rawValue: name).map { [$0] }
        case .array(let names): Set(names.compactMap { $0.text.flatMap(SchemaType.init) })
        default: nil
        }
    }

    private static func impliedTypes(_ object: LLMJSONObject) -> Set<SchemaType>? {
        if object["properties"] != nil { return [.object] }
        return object["items"] != nil || object["prefixItems"] != nil ? [.array] : nil
    }
}
