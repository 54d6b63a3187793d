/// How JSON escapes write characters as hexadecimal digits.
enum HexadecimalText {
    /// What follows `\u` for a character of `set`: four digits, or a surrogate pair.
    static func expression(for set: ScalarSet) -> GrammarExpression {
        let basic = set.ranges.compactMap { $0.lowerBound < 0x10000 ? $0.clamped(to: 0...0xFFFF) : nil }
        let others = set.ranges.compactMap { range in
            range.upperBound >= 0x10000 ? range.clamped(to: 0x10000...0x10FFFF) : nil
        }
        return .any([digits(4, for: basic)] + others.flatMap(surrogatePairs))
    }

    /// What follows `\u` for one character, in each of the ways to write its digits.
    static func spellings(of scalar: Unicode.Scalar) -> [String] {
        let lower = scalar.utf16.map { unit in
            let digits = String(unit, radix: 16)
            return String(repeating: "0", count: 4 - digits.count) + digits
        }
        return lower.reduce([""]) { texts, unit in
            let units = spellings(ofDigits: unit)
            return texts.flatMap { text in units.map { text.isEmpty ? $0 : text + "\\u" + $0 } }
        }
    }

    /// With letters in upper or lower case.
    private static func spellings(ofDigits text: String) -> [String] {
        text.reduce([""]) { texts, digit in
            digit.isLetter
                ? texts.flatMap { [$0 + String(digit), $0 + digit.uppercased()] } : texts.map { $0 + String(digit) }
        }
    }

    private static func surrogatePairs(_ range: ClosedRange<UInt32>) -> [GrammarExpression] {
        let (first, last) = (range.lowerBound - 0x10000, range.upperBound - 0x10000)
        let (high, low): (ClosedRange<UInt32>, ClosedRange<UInt32>) = (first >> 10...last >> 10, 0...0x3FF)
        if high.count == 1 { return [pair(high, (first & 0x3FF)...(last & 0x3FF))] }
        var pairs: [GrammarExpression] = []
        var whole = high
        if first & 0x3FF > 0 {
            pairs.append(pair(high.lowerBound...high.lowerBound, (first & 0x3FF)...0x3FF))
            whole = (whole.lowerBound + 1)...whole.upperBound
        }
        if last & 0x3FF < 0x3FF {
            pairs.append(pair(high.upperBound...high.upperBound, 0...(last & 0x3FF)))
            if whole.count == 1 { return pairs }
            whole = whole.lowerBound...(whole.upperBound - 1)
        }
        return pairs + [pair(whole, low)]
    }

    private static func pair(_ high: ClosedRange<UInt32>, _ low: ClosedRange<UInt32>) -> GrammarExpression {
        let first = digits(4, for: [(0xD800 + high.lowerBound)...(0xD800 + high.upperBound)])
        let second = digits(4, for: [(0xDC00 + low.lowerBound)...(0xDC00 + low.upperBound)])
        return .joined([first, .literal("\\u"), second])
    }

    /// `count` digits whose value lies in one of the ranges.
    private static func digits(_ count: Int, for ranges: [ClosedRange<UInt32>]) -> GrammarExpression {
        guard !ranges.isEmpty else { return .never }
        let size = UInt32(1) << (4 * UInt32(count - 1))
        if count == 1 { return digit(ranges.flatMap { $0.map { $0 } }) }
        if ranges == [0...(size * 16 - 1)] { return .repetition(digit(Array(0...15)), minimum: count, maximum: count) }
        var groups: [(rest: [ClosedRange<UInt32>], first: [UInt32])] = []
        for value in UInt32(0)...15 {
            let block = (value * size)...(value * size + size - 1)
            let rest = ranges.filter(block.overlaps).map { range in
                let part = range.clamped(to: block)
                return (part.lowerBound - block.lowerBound)...(part.upperBound - block.lowerBound)
            }
            guard !rest.isEmpty else { continue }
            if let index = groups.firstIndex(where: { $0.rest == rest }) {
                groups[index].first.append(value)
            } else {
                groups.append((rest, [value]))
            }
        }
        return .any(groups.map { .joined([digit($0.first), digits(count - 1, for: $0.rest)]) })
    }

    private static func digit(_ values: [UInt32]) -> GrammarExpression {
        let characters = values.map { String($0, radix: 16) }
        let text = characters.joined()
        let both = text + text.uppercased()
        return both.allSatisfy { $0 == both.first } ? .literal(String(both.prefix(1))) : .scalars(ScalarSet(both))
    }
}
