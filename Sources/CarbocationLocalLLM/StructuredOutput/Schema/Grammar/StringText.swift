/// How characters are written within JSON strings.
enum StringText {
    /// What may stand for itself.
    static let plain = ScalarSet([0x20...0x21, 0x23...0x5B, 0x5D...0x10FFFF])
    private static let printable = ScalarSet([0x20...0x7E])
    private static let shortEscapes: [(scalar: Unicode.Scalar, letter: Unicode.Scalar)] = [
        ("\"", "\""), ("\\", "\\"), ("\u{8}", "b"), ("\u{C}", "f"), ("\n", "n"), ("\r", "r"), ("\t", "t"),
    ]

    /// The ways to write a character; printable ASCII in one way only.
    static func spellings(of scalar: Unicode.Scalar) -> [String] {
        var result: [String] = plain.contains(scalar.value) ? [String(scalar)] : []
        if let escape = shortEscapes.first(where: { $0.scalar == scalar }) {
            result.append("\\" + String(escape.letter))
        }
        guard !printable.contains(scalar.value) else { return result }
        return result + HexadecimalText.spellings(of: scalar).map { "\\u" + $0 }
    }

    /// Any character of `set`.
    static func expression(for set: ScalarSet) -> GrammarExpression {
        let plain = set.intersection(plain)
        let letters = ScalarSet(
            shortEscapes.filter { set.contains($0.scalar.value) }.map { $0.letter.value...$0.letter.value })
        let others = set.subtracting(printable)
        let escapes = GrammarExpression.any([
            one(of: letters),
            others.isEmpty ? .never : .joined([.literal("u"), HexadecimalText.expression(for: others)]),
        ])
        return .any([one(of: plain), .joined([.literal("\\"), escapes])])
    }

    /// A string with its quotes.
    static func expression(for text: String) -> GrammarExpression {
        let characters = text.unicodeScalars.map { scalar in
            let spellings = spellings(of: scalar)
            return spellings.count == 1 ? .literal(spellings[0]) : expression(for: ScalarSet(scalar))
        }
        return .joined([.literal("\"")] + characters + [.literal("\"")])
    }

    private static func one(of set: ScalarSet) -> GrammarExpression {
        if let only = set.onlyMember { return .literal(String(only)) }
        return set.isEmpty ? .never : .scalars(set)
    }
}
