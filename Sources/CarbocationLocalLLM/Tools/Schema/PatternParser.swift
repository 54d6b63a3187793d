/// Reads a regular expression in JavaScript's syntax, as JSON schemas use it.
struct PatternParser {
    private static let maximumDepth = 64
    private static let maximumCount = 1_000

    private var rest: ArraySlice<Unicode.Scalar>
    private var depth = 0

    /// The expression, or nil if it is not valid or uses what is not supported.
    static func parse(_ pattern: String) -> PatternNode? {
        var parser = PatternParser(rest: Array(pattern.unicodeScalars)[...])
        guard let node = parser.parseAlternatives(), parser.rest.isEmpty else { return nil }
        return node
    }

    private mutating func parseAlternatives() -> PatternNode? {
        guard depth < Self.maximumDepth else { return nil }
        depth += 1
        defer { depth -= 1 }
        var alternatives: [PatternNode] = []
        repeat {
            guard let sequence = parseSequence() else { return nil }
            alternatives.append(sequence)
        } while skip("|")
        return alternatives.count == 1 ? alternatives[0] : .alternatives(alternatives)
    }

    private mutating func parseSequence() -> PatternNode? {
        var nodes: [PatternNode] = []
        while let next = rest.first, next != "|", next != ")" {
            guard let atom = parseAtom(), let node = parseQuantifier(of: atom) else { return nil }
            nodes.append(node)
        }
        return .sequence(nodes)
    }

    private mutating func parseAtom() -> PatternNode? {
        guard let scalar = rest.popFirst() else { return nil }
        switch scalar {
        case "^": return .start
        case "$": return .end
        case ".": return .scalar(.anyButLineEnd)
        case "(": return parseGroup()
        case "[": return parseClass().map { .scalar($0) }
        case "\\": return parseEscape()
        case "*", "+", "?": return nil
        default: return .scalar(PatternClass(scalar))
        }
    }

    private mutating func parseGroup() -> PatternNode? {
        if skip("?") {
            if skip("<") {
                // A name; lookbehind begins alike but goes on with = or !.
                guard rest.first != "=", rest.first != "!", let end = rest.firstIndex(of: ">") else { return nil }
                rest = rest[(end + 1)...]
            } else if !skip(":") {
                return nil
            }
        }
        guard let inner = parseAlternatives(), skip(")") else { return nil }
        return inner
    }

    private mutating func parseQuantifier(of atom: PatternNode) -> PatternNode? {
        let bounds: (Int, Int?)
        switch rest.first {
        case "*": bounds = (0, nil)
        case "+": bounds = (1, nil)
        case "?": bounds = (0, 1)
        case "{":
            guard let counts = parseCounts() else { return atom }
            guard counts.0 <= Self.maximumCount, (counts.1 ?? 0) <= Self.maximumCount,
                counts.0 <= counts.1 ?? Int.max
            else { return nil }
            _ = skip("?")
            return .repetition(atom, minimum: counts.0, maximum: counts.1)
        default: return atom
        }
        rest.removeFirst()
        // Lazy or not makes no difference to whether there is a match.
        _ = skip("?")
        return .repetition(atom, minimum: bounds.0, maximum: bounds.1)
    }

    /// The numbers in `{2}`, `{2,}` or `{2,5}`; nil, with nothing read, if the brace is a plain character.
    private mutating func parseCounts() -> (Int, Int?)? {
        let before = rest
        rest.removeFirst()
        guard let minimum = parseNumber() else {
            rest = before
            return nil
        }
        var maximum: Int? = minimum
        if skip(",") { maximum = parseNumber() }
        guard skip("}") else {
            rest = before
            return nil
        }
        return (minimum, maximum)
    }

    private mutating func parseNumber() -> Int? {
        let digits = rest.prefix { ("0"..."9").contains($0) }
        rest = rest.dropFirst(digits.count)
        return digits.isEmpty ? nil : Int(String(String.UnicodeScalarView(digits))) ?? Int.max
    }

    private mutating func skip(_ scalar: Unicode.Scalar) -> Bool {
        guard rest.first == scalar else { return false }
        rest.removeFirst()
        return true
    }
}

extension PatternParser {
    private mutating func parseEscape() -> PatternNode? {
        switch rest.first {
        case "b":
            rest.removeFirst()
            return .wordBoundary(isNegated: false)
        case "B":
            rest.removeFirst()
            return .wordBoundary(isNegated: true)
        default:
            return parseEscapedClass().map { .scalar($0) }
        }
    }

    /// What stands for a character or a set of them after a backslash.
    private mutating func parseEscapedClass() -> PatternClass? {
        guard let scalar = rest.popFirst() else { return nil }
        switch scalar {
        case "d": return .digit
        case "D": return PatternClass.digit.complement
        case "w": return .word
        case "W": return PatternClass.word.complement
        case "s": return .space
        case "S": return PatternClass.space.complement
        case "n": return PatternClass("\n")
        case "r": return PatternClass("\r")
        case "t": return PatternClass("\t")
        case "f": return PatternClass("\u{0C}")
        case "v": return PatternClass("\u{0B}")
        case "0": return PatternClass("\0")
        case "x": return parseHexadecimal(digits: 2)
        case "u": return skip("{") ? parseBracedHexadecimal() : parseHexadecimal(digits: 4)
        case "a"..."z", "A"..."Z", "1"..."9": return nil
        default: return PatternClass(scalar)
        }
    }

    private mutating func parseHexadecimal(digits: Int) -> PatternClass? {
        let text = String(String.UnicodeScalarView(rest.prefix(digits)))
        guard text.unicodeScalars.count == digits, let value = UInt32(text, radix: 16),
            let scalar = Unicode.Scalar(value)
        else { return nil }
        rest = rest.dropFirst(digits)
        return PatternClass(scalar)
    }

    private mutating func parseBracedHexadecimal() -> PatternClass? {
        guard let end = rest.firstIndex(of: "}") else { return nil }
        let text = String(String.UnicodeScalarView(rest[..<end]))
        rest = rest[(end + 1)...]
        guard let value = UInt32(text, radix: 16), let scalar = Unicode.Scalar(value) else { return nil }
        return PatternClass(scalar)
    }

    /// A set in brackets, whose opening one was read.
    private mutating func parseClass() -> PatternClass? {
        var result = PatternClass(isNegated: skip("^"))
        while let scalar = rest.popFirst() {
            if scalar == "]" { return result }
            guard let lower = parseClassMember(scalar) else { return nil }
            guard rest.first == "-", let after = rest.dropFirst().first, after != "]" else {
                result.ranges += lower.flattenedRanges
                continue
            }
            rest.removeFirst()
            guard let next = rest.popFirst(), let upper = parseClassMember(next),
                let from = lower.onlyScalar, let to = upper.onlyScalar, from <= to
            else { return nil }
            result.ranges.append(from...to)
        }
        return nil
    }

    private mutating func parseClassMember(_ scalar: Unicode.Scalar) -> PatternClass? {
        guard scalar == "\\" else { return PatternClass(scalar) }
        if skip("b") { return PatternClass("\u{08}") }
        return parseEscapedClass()
    }
}

extension PatternClass {
    /// The character, if the set has just one.
    fileprivate var onlyScalar: UInt32? {
        guard !isNegated, ranges.count == 1, ranges[0].count == 1 else { return nil }
        return ranges[0].lowerBound
    }
}
