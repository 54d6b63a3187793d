import CarbocationLocalLLM
import Foundation

extension SchemaPlan {
    /// A plan that allows exactly what a JSON schema does; nil where that cannot be expressed.
    ///
    /// - Parameter schema: The schema of an answer.
    init?(expressing schema: LLMJSONValue) {
        var reader = SchemaPlanReader(isExact: true)
        guard let plan = reader.plan(of: schema, at: "Answer", depth: 0) else { return nil }
        self = plan
    }

    /// A plan that allows at least what the parameters of a tool do.
    ///
    /// What it lets through beyond that is found when arguments are validated.
    init(parametersOf tool: LLMToolDefinition) {
        var reader = SchemaPlanReader(isExact: false)
        let plan = reader.plan(of: tool.parameters, at: tool.name, depth: 0) ?? .any
        // Arguments are always an object, if only an empty one.
        if case .object = plan { self = plan } else { self = .object(name: tool.name, description: nil, []) }
    }
}

/// Reads a JSON schema into a ``SchemaPlan``.
private struct SchemaPlanReader {
    /// Whether a schema that cannot be expressed has no plan, rather than one that allows more.
    let isExact: Bool
    private var names: Set<String> = []

    /// More levels are not told apart.
    private static let maximumDepth = 32

    private static let annotations: Set<String> = [
        "title", "description", "$schema", "$id", "$comment", "default", "examples", "deprecated", "readOnly",
        "writeOnly",
    ]

    init(isExact: Bool) {
        self.isExact = isExact
    }

    /// The plan of a schema, or nil when it cannot be expressed and has to be.
    mutating func plan(of schema: LLMJSONValue, at place: String, depth: Int) -> SchemaPlan? {
        let fallback: SchemaPlan? = isExact ? nil : .any
        guard depth < Self.maximumDepth, let schema = schema.objectValue else { return fallback }
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
        let items = schema["items"].map { plan(of: $0, at: place + "_item", depth: depth + 1) } ?? .any
        guard let items else { return nil }
        let lower = schema["minItems"].map { Self.bound($0, rounding: .up) } ?? nil
        let upper = schema["maxItems"].map { Self.bound($0, rounding: .down) } ?? nil
        guard (lower ?? 0) >= 0, (upper ?? 0) >= 0, (lower ?? 0) <= (upper ?? .max) else { return nil }
        return .array(of: items, minimumCount: lower, maximumCount: upper)
    }

    private mutating func object(of schema: LLMJSONObject, at place: String, depth: Int) -> SchemaPlan? {
        let isExpressed = allows(schema, "properties", "required", "additionalProperties", "x-order")
        let isOpen = schema["properties"] == nil && schema["additionalProperties"] != false
        let extra = schema["additionalProperties"]
        guard !isExact || isExpressed && !isOpen && (extra == nil || extra?.boolValue != nil) else { return nil }
        // The arguments of a tool are an object in any case; below them one without known members can be anything.
        if !isExact, isOpen, depth > 0 { return .any }
        let name = unique(place)
        let required = Set((schema["required"]?.arrayValue ?? []).compactMap(\.stringValue))
        let members = schema["properties"]?.objectValue ?? LLMJSONObject()
        guard !isExact || required.isSubset(of: members.keys) else { return nil }
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
