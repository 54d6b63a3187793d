/// Writes rules as GBNF.
struct GrammarWriter {
    /// The longest grammar, in bytes; the runtime takes a little more, for rules of its own.
    static let maximumLength = 250 << 10

    private let rules: GrammarRules
    private var text = ""

    /// The rules that `root` needs, which becomes the rule "root".
    static func text(of rules: GrammarRules, root: Int) throws(GrammarRules.TooLarge) -> String {
        var writer = GrammarWriter(rules: rules)
        for rule in rules.reachable(from: root) {
            writer.text += (rule == root ? "root" : rules.names[rule]) + " ::= "
            writer.rootRule = root
            writer.write(rules.expressions[rule], isWithin: .rule)
            writer.text += "\n"
            guard writer.text.utf8.count <= maximumLength else { throw GrammarRules.TooLarge() }
        }
        return writer.text
    }

    private var rootRule = -1

    private init(rules: GrammarRules) {
        self.rules = rules
    }

    /// What surrounds an expression decides whether it needs parentheses.
    private enum Surrounding: Int {
        case rule, choice, sequence, repetition
    }

    private mutating func write(_ expression: GrammarExpression, isWithin surrounding: Surrounding) {
        switch expression {
        case .never, .literal, .scalars, .rule: writeAtom(expression)
        case .sequence(let parts) where parts.isEmpty: text += "\"\""
        case .sequence(let parts): writeList(parts, " ", within: .sequence, isWrapped: surrounding == .repetition)
        case .choice(let parts):
            writeList(parts, " | ", within: .choice, isWrapped: surrounding.rawValue >= Surrounding.choice.rawValue)
        case .repetition(let part, let minimum, let maximum):
            write(part, isWithin: .repetition)
            text += Self.quantifier(minimum, maximum)
        }
    }

    private mutating func writeAtom(_ expression: GrammarExpression) {
        switch expression {
        case .literal(let literal): text += "\"" + literal.unicodeScalars.map(Self.escapedInLiteral).joined() + "\""
        case .scalars(let set): text += Self.characterClass(set)
        case .rule(let rule): text += rule == rootRule ? "root" : rules.names[rule]
        // An empty class, which no character matches.
        default: text += "[]"
        }
    }

    private mutating func writeList(
        _ parts: [GrammarExpression], _ separator: String, within: Surrounding, isWrapped: Bool
    ) {
        if isWrapped { text += "(" }
        for (index, part) in parts.enumerated() {
            if index > 0 { text += separator }
            write(part, isWithin: within)
        }
        if isWrapped { text += ")" }
    }

    private static func quantifier(_ minimum: Int, _ maximum: Int?) -> String {
        switch (minimum, maximum) {
        case (0, nil): "*"
        case (1, nil): "+"
        case (0, 1): "?"
        case (_, nil): "{\(minimum),}"
        case (_, let maximum?): minimum == maximum ? "{\(minimum)}" : "{\(minimum),\(maximum)}"
        }
    }

    private static func characterClass(_ set: ScalarSet) -> String {
        let gaps = set.complement
        // Sets of nearly everything read better as what they leave out. Surrogates are in neither.
        if gaps.ranges.count < set.ranges.count, !gaps.isEmpty { return "[^" + members(gaps) + "]" }
        return set == .all ? "." : "[" + members(set) + "]"
    }

    private static func members(_ set: ScalarSet) -> String {
        set.ranges.map { range in
            let ends = [range.lowerBound, range.upperBound].compactMap(Unicode.Scalar.init).map(escapedInClass)
            if range.count == 1 { return ends[0] }
            return ends[0] + (range.count == 2 ? "" : "-") + ends[1]
        }.joined()
    }

    private static func escapedInClass(_ scalar: Unicode.Scalar) -> String {
        switch scalar {
        case "[", "]", "\\", "-": "\\" + String(scalar)
        case "^": "\\x5E"
        case "\n": "\\n"
        case "\r": "\\r"
        case "\t": "\\t"
        default: scalar.value >= 0x20 && scalar.value < 0x7F ? String(scalar) : escaped(scalar)
        }
    }

    private static func escapedInLiteral(_ scalar: Unicode.Scalar) -> String {
        switch scalar {
        case "\"", "\\": "\\" + String(scalar)
        case "\n": "\\n"
        case "\r": "\\r"
        case "\t": "\\t"
        default: scalar.value >= 0x20 && !(0x7F...0x9F).contains(scalar.value) ? String(scalar) : escaped(scalar)
        }
    }

    private static func escaped(_ scalar: Unicode.Scalar) -> String {
        let digits = String(scalar.value, radix: 16, uppercase: true)
        let (mark, width) = scalar.value < 0x100 ? ("x", 2) : scalar.value < 0x10000 ? ("u", 4) : ("U", 8)
        return "\\" + mark + String(repeating: "0", count: width - digits.count) + digits
    }
}
