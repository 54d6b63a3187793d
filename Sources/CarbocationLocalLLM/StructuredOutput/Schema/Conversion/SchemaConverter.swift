/// Turns a schema into the rules of a grammar.
///
/// Each set of schemas that have to fit at one place becomes one rule. Rules are made one after the other from a list
/// of what is still to do, so that neither deep nor recursive schemas need a deep stack.
struct SchemaConverter {
    /// How many sets of schemas at once a schema may lead to.
    private static let maximumConjunctions = 5_000
    /// How many rules one kind of number may take; remainders need many.
    private static let maximumNumberStates = 2_000

    var reader: SchemaReader
    var text = JSONTextRules()
    private var rules: [SchemaConjunction: Int] = [:]
    private var pending: [(conjunction: SchemaConjunction, rule: Int)] = []
    /// The first place where nothing fits, for the case that it matters.
    private var contradiction: SchemaFailure?
    private var numbers: [NumberRange: [Bool: GrammarExpression]] = [:]
    private var strings: [SchemaShape.Text: GrammarExpression] = [:]

    /// The grammar of the values that fit `schema`.
    static func grammar(for schema: LLMJSONValue) throws -> String {
        var converter = SchemaConverter(reader: try SchemaReader(schema))
        return try converter.grammar()
    }

    private init(reader: SchemaReader) {
        self.reader = reader
    }

    private mutating func grammar() throws -> String {
        let root = try text.rules.reserve("root")
        let whole = try reader.expanded(SchemaConjunction(SchemaDocument.root))
        rules[whole] = root
        pending.append((whole, root))
        while let (conjunction, rule) = pending.popLast() {
            text.rules.define(rule, as: try expression(for: conjunction))
        }
        text.rules.prune()
        let place = reader.document.place(of: SchemaDocument.root)
        if text.rules.expressions[root] == .never {
            throw contradiction ?? SchemaFailure(place, "no finite value fits the schema")
        }
        if let rule = text.rules.unprogressiveRule() {
            throw SchemaFailure(placeOfRule(rule), "$ref leads back to where it stands")
        }
        return try GrammarWriter.text(of: text.rules, root: root)
    }

    /// The rule of what fits `conjunction`, or what needs no rule of its own.
    mutating func rule(for conjunction: SchemaConjunction) throws -> GrammarExpression {
        let conjunction = try reader.expanded(conjunction)
        if let known = rules[conjunction] { return .rule(known) }
        let shape = try reader.shape(of: conjunction)
        if let simple = try simpleExpression(for: shape) { return simple }
        guard rules.count < Self.maximumConjunctions else { throw GrammarRules.TooLarge() }
        let rule = try text.rules.reserve(Self.name(for: shape))
        rules[conjunction] = rule
        pending.append((conjunction, rule))
        return .rule(rule)
    }

    /// Remembers why nothing fits at a place, and gives what stands for that.
    mutating func nothing(_ shape: SchemaShape, _ reason: String) -> GrammarExpression {
        contradiction = contradiction ?? failure(of: shape, reason)
        return .never
    }

    /// Remembers that a combination leaves nothing.
    mutating func nothing(at array: SchemaDocument.Part, _ reason: String) -> GrammarExpression {
        contradiction = contradiction ?? failure(at: array, reason)
        return .never
    }

    /// A failure of the combination whose alternatives are in `array`.
    func failure(at array: SchemaDocument.Part, _ reason: String) -> SchemaFailure {
        let place = reader.document.place(of: array)
        return SchemaFailure(JSONPointer(place.tokens.dropLast()), "\(place.tokens.last ?? "") \(reason)")
    }

    private func placeOfRule(_ rule: Int) -> JSONPointer {
        let conjunction = rules.first { $0.value == rule }?.key
        for member in conjunction?.members ?? [] {
            switch member {
            case .schema(let part), .keywords(let part), .alternatives(let part, _):
                return reader.document.place(of: part)
            case .key: continue
            }
        }
        return reader.document.place(of: SchemaDocument.root)
    }

    private static func name(for shape: SchemaShape) -> String {
        if shape.values != nil { return "enum" }
        if !shape.alternatives.isEmpty { return "union" }
        guard let types = shape.generatedTypes, types.count == 1, let type = types.first else { return "union" }
        return type.rawValue
    }
}

extension SchemaConverter {
    private static let typeOrder: [SchemaType] = [.object, .array, .string, .number, .integer, .boolean, .null]

    private mutating func expression(for conjunction: SchemaConjunction) throws -> GrammarExpression {
        let shape = try reader.shape(of: conjunction)
        if let simple = try simpleExpression(for: shape) { return simple }
        if shape.values != nil {
            let values = try fittingValues(of: shape)
            return values.isEmpty ? nothing(shape, "enum has no value that fits") : try literals(values)
        }
        if let alternatives = shape.alternatives.first {
            return try union(of: alternatives.array, alternatives.isExclusive, in: shape)
        }
        let types = shape.generatedTypes ?? []
        return .any(try Self.typeOrder.filter(types.contains).map { try expression(for: $0, shape) })
    }

    /// What a shape without anything special to it needs no rule for.
    private mutating func simpleExpression(for shape: SchemaShape) throws -> GrammarExpression? {
        if shape.isImpossible { return nothing(shape, "no type is left that fits") }
        guard shape.values == nil, shape.alternatives.isEmpty else { return nil }
        guard let types = shape.generatedTypes else { return try text.value() }
        guard types.count == 1, let type = types.first else { return nil }
        switch type {
        case .null: return .literal("null")
        case .boolean: return .any([.literal("true"), .literal("false")])
        case .integer: return shape.range.isUnlimited ? try text.integer() : nil
        case .number: return shape.range.isUnlimited ? try text.number() : nil
        case .string: return shape.text.isUnlimited ? try text.string() : nil
        case .array: return shape.hasAnyElements ? try text.array() : nil
        case .object: return shape.hasAnyMembers ? try text.object() : nil
        }
    }

    private mutating func expression(for type: SchemaType, _ shape: SchemaShape) throws -> GrammarExpression {
        switch type {
        case .null: return .literal("null")
        case .boolean: return .any([.literal("true"), .literal("false")])
        case .integer, .number: return try number(shape, isInteger: type == .integer)
        case .string: return try string(shape)
        case .array: return try array(shape)
        case .object: return try object(shape)
        }
    }

    private mutating func number(_ shape: SchemaShape, isInteger: Bool) throws -> GrammarExpression {
        if shape.range.isUnlimited { return isInteger ? try text.integer() : try text.number() }
        if let known = numbers[shape.range]?[isInteger] { return known }
        let automaton: TextAutomaton
        do { automaton = try NumberAutomaton.accepting(shape.range, isInteger: isInteger) } catch {
            throw failure(of: shape, "multipleOf is too large")
        }
        if automaton.states.count > Self.maximumNumberStates { throw failure(of: shape, "multipleOf is too large") }
        if automaton.acceptsNothing { return nothing(shape, "minimum and maximum leave no number") }
        let digits = try AutomatonRules.expression(of: automaton, .plain, named: "digits", in: &text)
        let rule = try text.rules.rule(isInteger ? "integer" : "number", digits)
        numbers[shape.range, default: [:]][isInteger] = rule
        return rule
    }

    private mutating func string(_ shape: SchemaShape) throws -> GrammarExpression {
        if shape.text.isUnlimited { return try text.string() }
        if let known = strings[shape.text] { return known }
        let content: GrammarExpression
        if let automaton = try automaton(of: shape) {
            if automaton.acceptsNothing { return nothing(shape, "pattern, format and length leave no text") }
            content = try AutomatonRules.expression(of: automaton, .string, named: "text", in: &text)
        } else {
            let (minimum, maximum) = (shape.text.minimum, shape.text.maximum)
            if let maximum, maximum < minimum { return nothing(shape, "minLength is above maxLength") }
            content = try text.rules.repetition(of: text.character(), minimum, maximum, named: "chars")
        }
        let rule = try text.rules.rule("string", .joined([.literal("\""), content, .literal("\"")]))
        strings[shape.text] = rule
        return rule
    }

    /// The machine of a string's characters, nil if only the length is limited.
    func automaton(of shape: SchemaShape) throws -> TextAutomaton? {
        do {
            var result: TextAutomaton?
            for automaton in try automata(of: shape.text) {
                result = try result?.intersection(automaton) ?? automaton
            }
            return try result?.limited(toLengths: shape.text.minimum, shape.text.maximum)
        } catch {
            throw failure(of: shape, "pattern is too complex together with the length")
        }
    }

    private func automata(of text: SchemaShape.Text) throws -> [TextAutomaton] {
        try text.patterns.compactMap { reader.patterns[$0] }
            + text.formats.compactMap { SchemaFormat(rawValue: $0) }.compactMap {
                try PatternAutomaton.containing($0.pattern)
            }
    }

    func failure(of shape: SchemaShape, _ reason: String) -> SchemaFailure {
        SchemaFailure(reader.document.place(of: shape.sources.first ?? SchemaDocument.root), reason)
    }
}

extension SchemaShape {
    fileprivate var hasAnyElements: Bool {
        elements.isEmpty && minimumCount == 0 && maximumCount == nil
    }

    fileprivate var hasAnyMembers: Bool {
        members.isEmpty && required.isEmpty
    }
}
