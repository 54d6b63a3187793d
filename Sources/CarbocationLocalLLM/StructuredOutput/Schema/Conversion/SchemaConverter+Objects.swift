/// The rules of one object, by how many of its declared keys are behind.
private struct MemberRules {
    /// Each with the space after it.
    var members: [GrammarExpression] = []
    var isRequired: [Bool] = []
    /// Members with keys that are not declared.
    var others: GrammarExpression
    var space: GrammarExpression

    /// How many alternatives one rule lists before it goes on with the next.
    static let alternativesPerRule = 4

    var lastRequired: Int { isRequired.lastIndex(of: true) ?? -1 }
}

extension SchemaConverter {
    /// The objects of a shape: the declared keys in their order, then others where they are allowed.
    mutating func object(_ shape: SchemaShape) throws -> GrammarExpression {
        let keys = shape.declaredKeys
        let space = try text.space()
        var rules = MemberRules(others: try otherMembers(of: shape, than: keys), space: space)
        let required = Set(shape.required)
        for key in keys {
            rules.members.append(try member(StringText.expression(for: key), rule(for: shape.member(key))))
            rules.isRequired.append(required.contains(key))
        }
        return .joined([.literal("{"), space, try content(rules), .literal("}")])
    }

    private mutating func member(_ key: GrammarExpression, _ value: GrammarExpression) throws -> GrammarExpression {
        let space = try text.space()
        return try text.rules.rule("member", .joined([key, space, .literal(":"), space, value, space]))
    }

    /// A member that has none of the declared keys, however it is written.
    private mutating func otherMembers(of shape: SchemaShape, than keys: [String]) throws -> GrammarExpression {
        guard !shape.isClosed else { return .never }
        let value = try rule(for: shape.otherMember)
        guard !keys.isEmpty else { return try member(try text.string(), value) }
        let automaton: TextAutomaton
        do { automaton = try KeyExclusion(keys).automaton() } catch {
            throw failure(of: shape, "properties has too many keys")
        }
        let content = try AutomatonRules.expression(of: automaton, .string, named: "key-text", in: &text)
        let key = try text.rules.rule("key", .joined([.literal("\""), content, .literal("\"")]))
        return try member(key, value)
    }

    private mutating func content(_ rules: MemberRules) throws -> GrammarExpression {
        let count = rules.members.count
        // What follows once there is a member and the first `index` keys are behind, and what does before there is one.
        var after = Array(repeating: GrammarExpression.empty, count: count + 1)
        var next = Array(repeating: GrammarExpression.never, count: count + 1)
        let another = GrammarExpression.joined([.literal(","), rules.space, rules.others])
        after[count] = try text.rules.repetition(of: another, 0, nil, named: "others")
        next[count] = .joined([rules.others, after[count]])
        for index in rules.members.indices.reversed() {
            next[index] = try alternatives(from: index, rules, after, next)
            let more = GrammarExpression.joined([.literal(","), rules.space, next[index]])
            after[index] = try text.rules.rule("members", index <= rules.lastRequired ? more : .optional(more))
        }
        return rules.lastRequired >= 0 ? next[0] : .optional(next[0])
    }

    /// The ways to go on with a member whose key is the one at `index` or, if that may be missing, a later one.
    private mutating func alternatives(
        from index: Int, _ rules: MemberRules, _ after: [GrammarExpression], _ next: [GrammarExpression]
    ) throws -> GrammarExpression {
        var ways: [GrammarExpression] = []
        for place in index..<min(index + MemberRules.alternativesPerRule, rules.members.count) {
            ways.append(.joined([rules.members[place], after[place + 1]]))
            if rules.isRequired[place] { return try text.rules.rule("next", .any(ways)) }
        }
        ways.append(next[min(index + MemberRules.alternativesPerRule, rules.members.count)])
        return try text.rules.rule("next", .any(ways))
    }
}

extension SchemaShape {
    /// What the value of a key has to fit.
    func member(_ key: String) -> SchemaConjunction {
        SchemaConjunction(
            members.compactMap { list in
                (list.declared[key] ?? list.others).map { .schema($0) }
            })
    }

    /// What the values of keys that are not declared have to fit.
    var otherMember: SchemaConjunction {
        SchemaConjunction(members.compactMap { list in list.others.map { .schema($0) } })
    }
}
