/// Rules for what every JSON text is made of.
struct JSONTextRules: Sendable {
    typealias TooLarge = GrammarRules.TooLarge

    var rules = GrammarRules()
    private var shared: [String: GrammarExpression] = [:]
    private var encoded: [ScalarSet: GrammarExpression] = [:]

    /// White space between the parts of arrays and objects: none, a space, or a line break with some indentation.
    ///
    /// It is bounded, so that a model cannot go on with nothing else.
    mutating func space() throws(TooLarge) -> GrammarExpression {
        try once("ws") { rules throws(TooLarge) in
            let indentation = try rules.rules.repetition(of: .scalars(ScalarSet(" \t")), 0, 20, named: "indent")
            let lineBreak = GrammarExpression.joined([.literal("\n"), .maybe("\n"), indentation])
            return .any([.empty, .literal(" "), lineBreak])
        }
    }

    /// One character of a string, in any way that JSON allows.
    mutating func character() throws(TooLarge) -> GrammarExpression {
        try once("char") { _ throws(TooLarge) in
            let everything = [0...0xFFFF, 0x10000...0x10FFFF] as [ClosedRange<UInt32>]
            let escapes = GrammarExpression.any([
                .scalars(ScalarSet("\"\\/bfnrt")),
                .joined([.literal("u"), HexadecimalText.expression(for: ScalarSet(everything))]),
            ])
            return .any([.scalars(StringText.plain), .joined([.literal("\\"), escapes])])
        }
    }

    /// A character of `set` within a string.
    ///
    /// Printable ASCII stands for itself only, so that a grammar of few characters stays one of few ways.
    mutating func character(in set: ScalarSet) throws(TooLarge) -> GrammarExpression {
        if set == .all { return try character() }
        if let known = encoded[set] { return known }
        let expression = StringText.expression(for: set)
        let result: GrammarExpression
        switch expression {
        case .literal, .scalars: result = expression
        default: result = try rules.rule("char-set", expression)
        }
        encoded[set] = result
        return result
    }

    mutating func string() throws(TooLarge) -> GrammarExpression {
        try once("string") { rules throws(TooLarge) in
            let characters = GrammarExpression.repetition(try rules.character(), minimum: 0, maximum: nil)
            return .joined([.literal("\""), characters, .literal("\"")])
        }
    }

    mutating func integer() throws(TooLarge) -> GrammarExpression {
        try once("integer") { rules throws(TooLarge) in
            let more = NumberAutomaton.integerDigits - 1
            let digits = try rules.rules.repetition(of: .scalars(.digits), 0, more, named: "digits")
            return .any([.literal("0"), .joined([.maybe("-"), .scalars(ScalarSet([0x31...0x39])), digits])])
        }
    }

    mutating func number() throws(TooLarge) -> GrammarExpression {
        try once("number") { rules throws(TooLarge) in
            let more = NumberAutomaton.integerDigits - 1
            let digits = try rules.rules.repetition(of: .scalars(.digits), 0, more, named: "digits")
            let whole = GrammarExpression.any([
                .literal("0"), .joined([.scalars(ScalarSet([0x31...0x39])), digits]),
            ])
            let places = try rules.rules.repetition(
                of: .scalars(.digits), 1, NumberAutomaton.fractionDigits, named: "digits")
            let fraction = GrammarExpression.joined([.literal("."), places])
            return .joined([
                .maybe("-"), whole, .optional(fraction),
                .optional(try rules.exponent()),
            ])
        }
    }

    /// Up to 199, so that every number is finite as a double.
    private mutating func exponent() throws(TooLarge) -> GrammarExpression {
        let digits = GrammarExpression.any([
            .joined([.scalars(ScalarSet([0x32...0x39])), .repetition(.scalars(.digits), minimum: 0, maximum: 1)]),
            .joined([.scalars(ScalarSet("01")), .repetition(.scalars(.digits), minimum: 0, maximum: 2)]),
        ])
        let sign = GrammarExpression.repetition(.scalars(ScalarSet("+-")), minimum: 0, maximum: 1)
        return try rules.rule("exponent", .joined([.scalars(ScalarSet("eE")), sign, digits]))
    }

    /// Any JSON value.
    mutating func value() throws(TooLarge) -> GrammarExpression {
        if let known = shared["value"] { return known }
        let rule = try rules.reserve("value")
        shared["value"] = .rule(rule)
        let array = try array()
        let kinds = try [object(), array, string(), number()]
        rules.define(rule, as: .any(kinds + [.literal("true"), .literal("false"), .literal("null")]))
        return .rule(rule)
    }

    /// Any array.
    mutating func array() throws(TooLarge) -> GrammarExpression {
        let item = try value()
        return try once("array") { rules throws(TooLarge) in
            try rules.list("[", of: .joined([item, try rules.space()]), "]", named: "element")
        }
    }

    /// Any object.
    mutating func object() throws(TooLarge) -> GrammarExpression {
        let item = try value()
        return try once("object") { rules throws(TooLarge) in
            let space = try rules.space()
            let member = GrammarExpression.joined([try rules.string(), space, .literal(":"), space, item, space])
            return try rules.list("{", of: try rules.rules.rule("member", member), "}", named: "members")
        }
    }

    private mutating func list(
        _ opener: String, of item: GrammarExpression, _ closer: String, named name: String
    ) throws(TooLarge) -> GrammarExpression {
        let space = try space()
        let more = try rules.repetition(of: .joined([.literal(","), space, item]), 0, nil, named: name)
        return .joined([.literal(opener), space, .optional(.joined([item, more])), .literal(closer)])
    }

    private mutating func once(
        _ name: String, _ make: (inout JSONTextRules) throws(TooLarge) -> GrammarExpression
    ) throws(TooLarge) -> GrammarExpression {
        if let known = shared[name] { return known }
        let made = try make(&self)
        let rule = GrammarExpression.rule(try rules.reserve(name))
        if case .rule(let number) = rule { rules.define(number, as: made) }
        shared[name] = rule
        return rule
    }
}

extension GrammarExpression {
    /// The literal or nothing.
    fileprivate static func maybe(_ literal: String) -> GrammarExpression {
        .repetition(.literal(literal), minimum: 0, maximum: 1)
    }
}

extension ScalarSet {
    static let digits = ScalarSet([0x30...0x39])
}
