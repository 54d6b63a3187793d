/// What the keywords of several schemas say together about a value.
struct SchemaShape: Sendable {
    typealias Part = SchemaDocument.Part

    struct Text: Hashable, Sendable {
        var minimum = 0
        var maximum: Int?
        var patterns: [String] = []
        var formats: [String] = []

        var isUnlimited: Bool { self == Text() }
    }

    /// The arrays that one schema describes.
    struct Elements: Sendable {
        var first: [Part] = []
        /// For the elements after the first ones.
        var rest: Part?
    }

    /// The objects that one schema describes.
    struct Members: Sendable {
        /// In order; nil without `properties`.
        var keys: [String]?
        var declared: [String: Part] = [:]
        /// For keys that are not declared.
        var others: Part?
    }

    /// Nothing fits.
    var isImpossible = false
    /// Nil if no schema names types.
    var types: Set<SchemaType>?
    /// The types that keywords speak of.
    var impliedTypes: Set<SchemaType> = []
    /// What `enum` and `const` leave, nil if there are none.
    var values: [LLMJSONValue]?

    var range = NumberRange()
    var text = Text()
    var minimumCount = 0
    var maximumCount: Int?
    var elements: [Elements] = []
    var members: [Members] = []
    var required: [String] = []

    /// The schemas whose keywords these are.
    var sources: [Part] = []
    /// The combinations of which one alternative has to fit, too.
    var alternatives: [(array: Part, isExclusive: Bool)] = []

    /// The types of values that may be generated: without any type named, those that the keywords speak of.
    var generatedTypes: Set<SchemaType>? {
        if let types { return types }
        return impliedTypes.isEmpty ? nil : impliedTypes
    }

    mutating func restrict(to allowed: Set<SchemaType>) {
        guard let types else { return self.types = allowed }
        var common = types.intersection(allowed)
        // Each integer is a number.
        if types.contains(.number), allowed.contains(.integer) { common.insert(.integer) }
        if types.contains(.integer), allowed.contains(.number) { common.insert(.integer) }
        if common.contains(.number) { common.remove(.integer) }
        self.types = common
        if common.isEmpty { isImpossible = true }
    }

    /// Keeps the values that are among `listed`.
    mutating func restrict(to listed: [LLMJSONValue]) {
        guard let values else { return self.values = listed }
        let allowed = Set(listed.map(\.withPlainNumbers))
        self.values = values.filter { allowed.contains($0.withPlainNumbers) }
    }

    /// All keys that a schema names, in order.
    var declaredKeys: [String] {
        var seen: Set<String> = []
        return (members.flatMap { $0.keys ?? [] } + required).filter { seen.insert($0).inserted }
    }

    /// Whether objects have no other keys than the declared ones.
    ///
    /// That is so if no schema allows others: the standard would, but then models make up keys.
    var isClosed: Bool {
        members.contains { $0.keys != nil } && members.allSatisfy { $0.others == nil }
    }
}

extension LLMJSONValue {
    /// The value with doubles that are whole numbers as integers, as JSON schemas compare.
    var withPlainNumbers: LLMJSONValue {
        switch self {
        case .double(let number): Int64(exactly: number).map { .int($0) } ?? self
        case .array(let elements): .array(elements.map(\.withPlainNumbers))
        case .object(let object): .object(LLMJSONObject(object.pairs.map { ($0.key, $0.value.withPlainNumbers) }))
        case .null, .bool, .int, .string: self
        }
    }
}
