import CarbocationLocalLLM
import Foundation

extension SchemaPlan {
    /// A plan that allows exactly what a JSON schema does; nil where that cannot be expressed.
    ///
    /// - Parameter schema: The schema of an answer.
    init?(expressing schema: LLMJSONValue) {
        var reader = SchemaPlanReader(of: schema, isExact: true)
        guard let plan = reader.plan(of: schema, at: "Answer", depth: 0) else { return nil }
        self = plan
    }

    /// A plan that allows at least what the parameters of a tool do; nil where they allow members without naming them.
    ///
    /// What it lets through beyond that is found when arguments are validated. Members that a schema neither names nor
    /// mentions, as most schemas do, are not meant.
    init?(parametersOf tool: LLMToolDefinition) {
        var parameters = tool.parameters
        // Arguments are always an object, whatever else a schema would allow.
        if case .array(let types)? = parameters.value(forKey: "type"), types.contains("object"),
            var schema = parameters.objectValue
        {
            schema["type"] = "object"
            parameters = .object(schema)
        }
        var reader = SchemaPlanReader(of: parameters, isExact: false)
        guard let plan = reader.plan(of: parameters, at: tool.name, depth: 0), case .object = plan else { return nil }
        self = plan
    }
}

/// Reads a JSON schema into a ``SchemaPlan``.
private struct SchemaPlanReader {
    /// Whether a schema that cannot be expressed has no plan, rather than one that allows more.
    let isExact: Bool
    /// The document, in which references are followed.
    private let root: LLMJSONValue
    private var names: Set<String> = []
    /// References that are being followed: one within itself has no end.
    private var openReferences: Set<String> = []
    private var work = 0

    /// More levels are not told apart.
    private static let maximumDepth = 32

    /// More parts are not told apart: references multiply.
    private static let maximumWork = 2000

    private static let annotations: Set<String> = [
        "title", "description", "$schema", "$id", "$comment", "default", "examples", "deprecated", "readOnly",
        "writeOnly", "$defs", "definitions",
    ]

    init(of root: LLMJSONValue, isExact: Bool) {
        self.root = root
        self.isExact = isExact
    }

    /// The plan of a schema, or nil when it cannot be expressed and has to be.
    mutating func plan(of schema: LLMJSONValue, at place: String, depth: Int) -> SchemaPlan? {
        let fallback: SchemaPlan? = isExact ? nil : .any
        work += 1
        guard depth < Self.maximumDepth, work <= Self.maximumWork, let schema = schema.objectValue else {
            return fallback
        }
        if schema["$ref"] != nil { return target(of: schema, at: place, depth: depth) ?? fallback }
        if let only = onlyPart(of: schema) { return plan(of: only, at: place, depth: depth + 1) ?? fallback }
        if schema["enum"] != nil || schema["const"] != nil {
            return choice(of: schema, at: place) ?? fallback
        }
        let plan: SchemaPlan? =
            switch Self.type(of: schema) {
            case "string": allows(schema) ? .string : lenient(.string)
            case "boolean": allows(schema) ? .boolean : lenient(.boolean)
            case "integer": integer(of: schema)
            case "number": number(of: schema)
            case "array": array(of: schema, at: place, depth: depth)
            case "object": object(of: schema, at: place, depth: depth)
            default: nil
            }
        return plan ?? fallback
    }

    // MARK: References

    /// What a schema refers to, if it says nothing else.
    private mutating func target(of schema: LLMJSONObject, at place: String, depth: Int) -> SchemaPlan? {
        guard case .string(let reference)? = schema["$ref"], isAlone("$ref", in: schema),
            let target = SchemaReference.resolve(reference, in: root), openReferences.insert(reference).inserted
        else { return nil }
        defer { openReferences.remove(reference) }
        return plan(of: target, at: place, depth: depth + 1)
    }

    /// The part of a schema that consists of one part, as generators write it to add a description to a reference.
    private func onlyPart(of schema: LLMJSONObject) -> LLMJSONValue? {
        guard let parts = schema["allOf"]?.arrayValue, parts.count == 1, isAlone("allOf", in: schema) else {
            return nil
        }
        return parts.first
    }

    private func isAlone(_ keyword: String, in schema: LLMJSONObject) -> Bool {
        schema.keys.allSatisfy { $0 == keyword || Self.annotations.contains($0) || $0 == "type" && !isExact }
    }

    // MARK: Kinds

    private mutating func choice(of schema: LLMJSONObject, at place: String) -> SchemaPlan? {
        guard allows(schema, "type", "enum", "const") || !isExact else { return nil }
        if let type = schema["type"], type != "string" { return nil }
        guard schema["enum"] == nil || schema["const"] == nil else { return nil }
        let values = schema["const"].map { [$0] } ?? schema["enum"]?.arrayValue ?? []
        var choices: [String] = []
        for value in values {
            guard case .string(let text) = value else { return nil }
            if !choices.contains(text) { choices.append(text) }
        }
        return choices.isEmpty ? nil : .choice(name: unique(place), choices)
    }

    private func integer(of schema: LLMJSONObject) -> SchemaPlan? {
        let isExpressed = allows(schema, "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum")
        let lower = Self.largest(
            Self.bound(schema["minimum"], rounding: .up),
            Self.bound(schema["exclusiveMinimum"], rounding: .down).map { $0.addingReportingOverflow(1).partialValue })
        let upper = Self.largest(
            Self.bound(schema["maximum"], rounding: .down).map { -$0 },
            Self.bound(schema["exclusiveMaximum"], rounding: .up).map { 1 - $0 }
        ).map { -$0 }
        if let lower, let upper, lower > upper { return nil }
        let plan = SchemaPlan.integer(minimum: lower, maximum: upper)
        return isExpressed && Self.hasReadableBounds(schema) ? plan : lenient(plan)
    }

    private func number(of schema: LLMJSONObject) -> SchemaPlan? {
        let lower = schema["minimum"]?.number
        let upper = schema["maximum"]?.number
        if let lower, let upper, lower > upper { return nil }
        let plan = SchemaPlan.number(minimum: lower, maximum: upper)
        return allows(schema, "minimum", "maximum") && Self.hasReadableBounds(schema) ? plan : lenient(plan)
    }

    private mutating func array(of schema: LLMJSONObject, at place: String, depth: Int) -> SchemaPlan? {
        let isExpressed = allows(schema, "items", "minItems", "maxItems") && schema["items"] != nil
        guard isExpressed || !isExact else { return nil }
        // Other elements may come before those of `items`.
        let known = schema["prefixItems"] == nil ? schema["items"] : nil
        let items = known.map { plan(of: $0, at: place + "_item", depth: depth + 1) } ?? .any
        guard let items else { return nil }
        let lower = schema["minItems"].map { Self.bound($0, rounding: .up) } ?? nil
        let upper = schema["maxItems"].map { Self.bound($0, rounding: .down) } ?? nil
        guard (lower ?? 0) >= 0, (upper ?? 0) >= 0, (lower ?? 0) <= (upper ?? .max) else { return nil }
        return .array(of: items, minimumCount: lower, maximumCount: upper)
    }

    private mutating func object(of schema: LLMJSONObject, at place: String, depth: Int) -> SchemaPlan? {
        let isExpressed = allows(schema, "properties", "required", "additionalProperties", "x-order")
        let extra = schema["additionalProperties"]
        let hasMembers = schema["properties"] != nil || extra == false
        guard !isExact || isExpressed && hasMembers && (extra == nil || extra?.boolValue != nil) else { return nil }
        let required = Self.required(by: schema)
        let members = schema["properties"]?.objectValue ?? LLMJSONObject()
        guard required.isSubset(of: members.keys), isExact || Self.namesMembers(schema, isRoot: depth == 0) else {
            return nil
        }
        let name = unique(place)
        var properties: [SchemaPlan.Property] = []
        for (key, value) in members.pairs {
            guard let member = plan(of: value, at: "\(name)_\(key)", depth: depth + 1) else { return nil }
            properties.append(
                SchemaPlan.Property(
                    name: key, description: value.string(forKey: "description"), schema: member,
                    isOptional: !required.contains(key)))
        }
        return .object(name: name, description: schema["description"]?.stringValue, properties)
    }

    // MARK: Members

    private static func required(by schema: LLMJSONObject) -> Set<String> {
        Set((schema["required"]?.arrayValue ?? []).compactMap(\.stringValue))
    }

    /// Whether an object has no members but those that its schema names.
    private static func namesMembers(_ schema: LLMJSONObject, isRoot: Bool) -> Bool {
        let members = schema["properties"]?.objectValue ?? LLMJSONObject()
        let isClosed = schema["additionalProperties"] == false
        // Without any members, only the arguments of a tool are known to be empty, and then they say so.
        guard isClosed || !members.keys.isEmpty || isRoot && schema["properties"] != nil else { return false }
        for keyword in ["additionalProperties", "unevaluatedProperties"] where schema[keyword] ?? false != false {
            return false
        }
        if let patterns = schema["patternProperties"], patterns != [:] { return false }
        if let minimum = schema["minProperties"]?.number, minimum > Double(members.keys.count) { return false }
        return parts(of: schema).allSatisfy { part in
            guard let part = part.objectValue else { return part.boolValue != nil }
            let restrictsOnly = part.keys.allSatisfy { key in
                ["type", "required", "not"].contains(key) || annotations.contains(key)
            }
            return restrictsOnly && required(by: part).isSubset(of: members.keys)
        }
    }

    /// Schemas that an object has to follow as well, all or some of them.
    private static func parts(of schema: LLMJSONObject) -> [LLMJSONValue] {
        let listed = ["anyOf", "oneOf", "allOf"].flatMap { schema[$0]?.arrayValue ?? [] }
        let conditional = ["then", "else"].compactMap { schema[$0] }
        let dependent = ["dependentSchemas", "dependencies"].flatMap { keyword in
            schema[keyword]?.objectValue?.pairs.map(\.value).filter { $0.arrayValue == nil } ?? []
        }
        return listed + conditional + dependent
    }

    // MARK: Keywords

    /// Whether a schema says nothing beyond its type, these keywords and annotations.
    private func allows(_ schema: LLMJSONObject, _ keywords: String...) -> Bool {
        schema.keys.allSatisfy { $0 == "type" || keywords.contains($0) || Self.annotations.contains($0) }
    }

    private func lenient(_ plan: SchemaPlan) -> SchemaPlan? {
        isExact ? nil : plan
    }

    private mutating func unique(_ place: String) -> String {
        var name = place
        var number = 1
        while !names.insert(name).inserted {
            number += 1
            name = "\(place)_\(number)"
        }
        return name
    }

    private static func type(of schema: LLMJSONObject) -> String? {
        if case .string(let type)? = schema["type"] { return type }
        if schema["type"] == nil, schema["properties"] != nil { return "object" }
        return nil
    }

    private static func hasReadableBounds(_ schema: LLMJSONObject) -> Bool {
        ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"].allSatisfy { key in
            schema[key].map { $0.number != nil } ?? true
        }
    }

    /// A bound as a whole number, if it is one that can be counted to.
    private static func bound(_ value: LLMJSONValue?, rounding rule: FloatingPointRoundingRule) -> Int? {
        guard let number = value?.number?.rounded(rule), abs(number) < 0x1p53 else { return nil }
        return Int(number)
    }

    private static func largest(_ first: Int?, _ second: Int?) -> Int? {
        guard let first, let second else { return first ?? second }
        return max(first, second)
    }
}

extension LLMJSONValue {
    /// The value of a number that is written as one.
    fileprivate var number: Double? {
        switch self {
        case .int(let value): Double(value)
        case .double(let value): value.isFinite ? value : nil
        default: nil
        }
    }
}
