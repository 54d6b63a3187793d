/// The rules of a grammar while it is built.
struct GrammarRules: Sendable {
    /// The grammar got too large.
    struct TooLarge: Error {}

    static let maximumRules = 20_000
    /// How often something is repeated at most by one repetition; more is put together of several.
    ///
    /// llama.cpp refuses more than 2000, also as the product of repetitions within each other, and expands each of them
    /// into as many rules.
    static let maximumRepetition = 256

    private(set) var names: [String] = []
    var expressions: [GrammarExpression] = []
    private var known: [GrammarExpression: Int] = [:]
    private var counts: [String: Int] = [:]

    /// A rule whose expression is yet to come.
    mutating func reserve(_ name: String) throws(TooLarge) -> Int {
        guard names.count < Self.maximumRules else { throw TooLarge() }
        let count = counts[name, default: 0] + 1
        counts[name] = count
        names.append(count == 1 ? name : "\(name)-\(count)")
        expressions.append(.never)
        return names.count - 1
    }

    mutating func define(_ rule: Int, as expression: GrammarExpression) {
        expressions[rule] = expression
    }

    /// A rule for `expression`, which equal expressions share; what needs no rule is given back.
    mutating func rule(_ name: String, _ expression: GrammarExpression) throws(TooLarge) -> GrammarExpression {
        switch expression {
        case .never, .rule, .empty: return expression
        default: break
        }
        if let rule = known[expression] { return .rule(rule) }
        let rule = try reserve(name)
        define(rule, as: expression)
        known[expression] = rule
        return .rule(rule)
    }

    /// `part` as often as the bounds say.
    mutating func repetition(
        of part: GrammarExpression, _ minimum: Int, _ maximum: Int?, named name: String
    ) throws(TooLarge) -> GrammarExpression {
        if part == .never { return minimum == 0 ? .empty : .never }
        if part == .empty { return .empty }
        let unit = isUnit(part) ? part : try rule(name, part)
        guard let maximum else {
            let rest = GrammarExpression.repetition(unit, minimum: 0, maximum: nil)
            return .joined([try exactly(minimum, unit, name), rest])
        }
        return .joined([try exactly(minimum, unit, name), try atMost(maximum - minimum, unit, name)])
    }

    /// Whether llama.cpp repeats it without repeating rules of its own.
    private func isUnit(_ part: GrammarExpression) -> Bool {
        switch part {
        case .literal, .scalars, .rule: true
        default: false
        }
    }

    private mutating func exactly(
        _ count: Int, _ unit: GrammarExpression, _ name: String
    ) throws(TooLarge) -> GrammarExpression {
        guard count > Self.maximumRepetition else { return Self.plain(unit, count, count) }
        let (blocks, rest) = count.quotientAndRemainder(dividingBy: Self.maximumRepetition)
        let many = try exactly(blocks, try block(of: unit, name), name)
        return .joined([many, Self.plain(unit, rest, rest)])
    }

    /// Blocks, and then either less than a block, or all blocks and what is left of the count.
    ///
    /// Each text is read in one way only, which keeps few ways open while it comes.
    private mutating func atMost(
        _ count: Int, _ unit: GrammarExpression, _ name: String
    ) throws(TooLarge) -> GrammarExpression {
        let size = Self.maximumRepetition
        guard count > size else {
            let few = Self.plain(unit, 0, count)
            return count > 8 ? try rule(name, few) : few
        }
        let (blocks, rest) = count.quotientAndRemainder(dividingBy: size)
        let block = try block(of: unit, name)
        let some = try atMost(blocks - 1, block, name)
        let less = try atMost(size - 1, unit, name)
        let all = try exactly(blocks, block, name)
        return try rule(name, .any([.joined([some, less]), .joined([all, try atMost(rest, unit, name)])]))
    }

    private mutating func block(of unit: GrammarExpression, _ name: String) throws(TooLarge) -> GrammarExpression {
        try rule(name, Self.plain(unit, Self.maximumRepetition, Self.maximumRepetition))
    }

    private static func plain(_ unit: GrammarExpression, _ minimum: Int, _ maximum: Int) -> GrammarExpression {
        switch (minimum, maximum) {
        case (0, 0): .empty
        case (1, 1): unit
        default: .repetition(unit, minimum: minimum, maximum: maximum)
        }
    }
}
