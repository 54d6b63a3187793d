extension SchemaConverter {
    /// What fits one of the alternatives, together with all else that the shape asks for.
    mutating func union(
        of array: SchemaDocument.Part, _ isExclusive: Bool, in shape: SchemaShape
    ) throws -> GrammarExpression {
        var branches = try branches(of: array, in: shape)
        if isExclusive { branches = try exclusive(branches, of: array) }
        var values: [LLMJSONValue] = []
        var parts: [GrammarExpression] = []
        for branch in branches {
            let shape = try reader.shape(of: branch)
            guard !shape.isImpossible else { continue }
            if shape.values != nil {
                values += try fittingValues(of: shape)
            } else {
                parts.append(try rule(for: branch))
            }
        }
        if isExclusive { values = try values.filter { try isSingle($0, among: array) } }
        if !values.isEmpty { parts.insert(try text.rules.rule("enum", try literals(distinct(values))), at: 0) }
        let union = GrammarExpression.any(parts)
        guard union == .never else { return union }
        return nothing(at: array, "has no alternative that fits")
    }

    /// One conjunction for each alternative: it, the other keywords and the combinations that are left.
    private mutating func branches(
        of array: SchemaDocument.Part, in shape: SchemaShape
    ) throws -> [SchemaConjunction] {
        let base = shape.members(without: array)
        return try reader.schemas(in: array).map { SchemaConjunction(base + [.schema($0)]) }
    }

    /// Whether a value fits just one of the alternatives.
    private mutating func isSingle(_ value: LLMJSONValue, among array: SchemaDocument.Part) throws -> Bool {
        try reader.schemas(in: array).count { try fits(value, SchemaConjunction($0)) } == 1
    }

    private func distinct(_ values: [LLMJSONValue]) -> [LLMJSONValue] {
        var seen: Set<LLMJSONValue> = []
        return values.filter { seen.insert($0.withPlainNumbers).inserted }
    }

    /// The branches of a `oneOf`, made such that no generated value fits two of them.
    private mutating func exclusive(
        _ branches: [SchemaConjunction], of array: SchemaDocument.Part
    ) throws -> [SchemaConjunction] {
        var comparison = AlternativeComparison(converter: self)
        guard let overlap = try comparison.firstOverlap(of: branches) else { return branches }
        let distinguished = try comparison.distinguished(branches)
        if distinguished != branches, try comparison.firstOverlap(of: distinguished) == nil { return distinguished }
        throw failure(
            at: array,
            "has alternatives that one value may fit at once, \(overlap.one) and \(overlap.other); "
                + "give them a required key with different constants, or use anyOf")
    }
}

extension SchemaShape {
    /// What the shape consists of, with one combination left out.
    func members(without array: Part) -> [SchemaConjunction.Member] {
        sources.map { .keywords($0) }
            + alternatives.filter { $0.array != array }.map { .alternatives($0.array, isExclusive: $0.isExclusive) }
    }
}
