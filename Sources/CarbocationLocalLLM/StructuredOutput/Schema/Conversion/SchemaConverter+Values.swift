extension SchemaConverter {
    /// The values of `enum` and `const` that also fit everything else.
    mutating func fittingValues(of shape: SchemaShape) throws -> [LLMJSONValue] {
        var seen: Set<LLMJSONValue> = []
        var result: [LLMJSONValue] = []
        for value in shape.values ?? [] where seen.insert(value.withPlainNumbers).inserted {
            if try fits(value, shape) { result.append(value) }
        }
        return result
    }

    /// Whether a value fits a conjunction.
    mutating func fits(_ value: LLMJSONValue, _ conjunction: SchemaConjunction) throws -> Bool {
        let shape = try reader.shape(of: conjunction)
        let plain = value.withPlainNumbers
        if let values = shape.values, !values.contains(where: { $0.withPlainNumbers == plain }) { return false }
        return try fits(value, shape)
    }

    /// Whether a value fits all that a shape says, its listed values aside.
    private mutating func fits(_ value: LLMJSONValue, _ shape: SchemaShape) throws -> Bool {
        if shape.isImpossible { return false }
        if let types = shape.types, !types.contains(where: { $0.includes(value) }) { return false }
        let fitsByItself =
            switch value {
            case .null, .bool: true
            case .int, .double: DecimalNumber(value).map(shape.range.contains) ?? false
            case .string(let string): try fits(string, shape)
            case .array(let elements): try fits(elements, shape)
            case .object(let object): try fits(object, shape)
            }
        guard fitsByItself else { return false }
        for (array, isExclusive) in shape.alternatives {
            let count = try reader.schemas(in: array).count { try fits(value, SchemaConjunction($0)) }
            guard isExclusive ? count == 1 : count > 0 else { return false }
        }
        return true
    }

    private mutating func fits(_ elements: [LLMJSONValue], _ shape: SchemaShape) throws -> Bool {
        guard elements.count >= shape.minimumCount, elements.count <= shape.maximumCount ?? Int.max else {
            return false
        }
        for (place, element) in elements.enumerated() {
            guard try fits(element, shape.element(at: place)) else { return false }
        }
        return true
    }

    private mutating func fits(_ object: LLMJSONObject, _ shape: SchemaShape) throws -> Bool {
        guard shape.required.allSatisfy({ object[$0] != nil }) else { return false }
        for (key, value) in object.pairs {
            guard try fits(value, shape.member(key)) else { return false }
        }
        return true
    }

    private func fits(_ string: String, _ shape: SchemaShape) throws -> Bool {
        let length = string.unicodeScalars.count
        guard length >= shape.text.minimum, length <= shape.text.maximum ?? Int.max else { return false }
        return try automaton(of: shape)?.accepts(string.unicodeScalars) ?? true
    }

    /// Any of the values, written as JSON.
    mutating func literals(_ values: [LLMJSONValue]) throws -> GrammarExpression {
        var tree = TextTree()
        var containers: [GrammarExpression] = []
        for value in values {
            switch value {
            case .array, .object: containers.append(try literal(value))
            case .string(let string):
                tree.insert([["\""]] + string.unicodeScalars.map(StringText.spellings) + [["\""]])
            case .null, .bool, .int, .double: tree.insert([[value.jsonString()]])
            }
        }
        let scalars: GrammarExpression
        if containers.count == values.count {
            scalars = .never
        } else {
            scalars = try AutomatonRules.expression(of: tree.automaton(), .plain, named: "value-text", in: &text)
        }
        return .any([scalars] + containers)
    }

    private mutating func literal(_ value: LLMJSONValue) throws -> GrammarExpression {
        switch value {
        case .null, .bool, .int, .double: return .literal(value.jsonString())
        case .string(let string): return StringText.expression(for: string)
        case .array(let elements):
            return try list("[", elements.map { try literal($0) }, "]")
        case .object(let object):
            let space = try text.space()
            let members = try object.pairs.map { key, value in
                try GrammarExpression.joined([
                    StringText.expression(for: key), space, .literal(":"), space, literal(value),
                ])
            }
            return try list("{", members, "}")
        }
    }

    private mutating func list(
        _ opener: String, _ parts: [GrammarExpression], _ closer: String
    ) throws -> GrammarExpression {
        let space = try text.space()
        var result: [GrammarExpression] = [.literal(opener), space]
        for (index, part) in parts.enumerated() {
            result += index == 0 ? [part, space] : [.literal(","), space, part, space]
        }
        return .joined(result + [.literal(closer)])
    }
}
