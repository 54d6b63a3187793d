extension SchemaConverter {
    /// The arrays of a shape.
    mutating func array(_ shape: SchemaShape) throws -> GrammarExpression {
        let (minimum, maximum) = (shape.minimumCount, shape.maximumCount)
        if let maximum, maximum < minimum { return nothing(shape, "minItems is above maxItems") }
        let space = try text.space()
        let first = try firstElements(of: shape, upTo: maximum)
        let content: GrammarExpression
        if maximum == 0 {
            content = .empty
        } else if let leading = first.first {
            let whole = GrammarExpression.joined([leading, try elements(after: 1, first, shape)])
            content = minimum == 0 ? .optional(whole) : whole
        } else {
            let element = try self.element(at: first.count, of: shape)
            let more = try repeated(element, max(minimum, 1) - 1, maximum.map { $0 - 1 })
            let whole = GrammarExpression.joined([element, more])
            content = minimum == 0 ? .optional(whole) : whole
        }
        return .joined([.literal("["), space, content, .literal("]")])
    }

    /// The elements with a place of their own, each with the space after it.
    private mutating func firstElements(of shape: SchemaShape, upTo maximum: Int?) throws -> [GrammarExpression] {
        let count = min(shape.elements.map(\.first.count).max() ?? 0, maximum ?? Int.max)
        var result: [GrammarExpression] = []
        for place in 0..<count { result.append(try element(at: place, of: shape)) }
        return result
    }

    private mutating func element(at place: Int, of shape: SchemaShape) throws -> GrammarExpression {
        let item = try rule(for: shape.element(at: place))
        return .joined([item, try text.space()])
    }

    /// What may follow the first `count` elements.
    private mutating func elements(
        after count: Int, _ first: [GrammarExpression], _ shape: SchemaShape
    ) throws -> GrammarExpression {
        let (minimum, maximum) = (shape.minimumCount, shape.maximumCount)
        var rest = GrammarExpression.empty
        if maximum ?? Int.max > first.count {
            let element = try self.element(at: Int.max, of: shape)
            rest = try repeated(element, max(0, minimum - first.count), maximum.map { $0 - first.count })
        }
        for place in first.indices.dropFirst(count).reversed() {
            let next = GrammarExpression.joined([.literal(","), try text.space(), first[place], rest])
            rest = try text.rules.rule("elements", place >= minimum ? .optional(next) : next)
        }
        return rest
    }

    private mutating func repeated(
        _ element: GrammarExpression, _ minimum: Int, _ maximum: Int?
    ) throws -> GrammarExpression {
        let next = GrammarExpression.joined([.literal(","), try text.space(), element])
        return try text.rules.repetition(of: next, minimum, maximum, named: "element")
    }
}

extension SchemaShape {
    /// What the element at a place has to fit.
    func element(at place: Int) -> SchemaConjunction {
        SchemaConjunction(
            elements.compactMap { list in
                (list.first.indices.contains(place) ? list.first[place] : list.rest).map { .schema($0) }
            })
    }
}
