/// A finite number as decimal digits, however long.
struct DecimalNumber: Hashable, Sendable {
    let isNegative: Bool
    /// Without leading zeros; a single 0 below one.
    let integerDigits: [Int]
    /// Without trailing zeros.
    let fractionDigits: [Int]

    /// The number of a JSON value, nil for everything else.
    init?(_ value: LLMJSONValue) {
        switch value {
        case .int(let number): self.init(String(number))
        case .double(let number) where number.isFinite: self.init(String(number))
        default: return nil
        }
    }

    /// Reads digits with an optional sign, fraction and exponent.
    private init?(_ text: String) {
        let isSigned = text.hasPrefix("-")
        let parts = text.dropFirst(isSigned ? 1 : 0).split(separator: "e", maxSplits: 1)
        let mantissa = parts[0].split(separator: ".", maxSplits: 1)
        guard let exponent = parts.count == 2 ? Int(parts[1]) : 0 else { return nil }
        let whole = mantissa[0].compactMap(\.wholeNumberValue)
        let fraction = mantissa.count == 2 ? mantissa[1].compactMap(\.wholeNumberValue) : []
        let point = whole.count + exponent
        var digits = whole + fraction
        if point < 0 { digits.insert(contentsOf: repeatElement(0, count: -point), at: 0) }
        if point > digits.count { digits += repeatElement(0, count: point - digits.count) }
        let integer = Array(digits.prefix(max(0, point)).drop { $0 == 0 })
        var rest = Array(digits.dropFirst(max(0, point)))
        while rest.last == 0 { rest.removeLast() }
        integerDigits = integer.isEmpty ? [0] : integer
        fractionDigits = rest
        isNegative = isSigned && !(integer.isEmpty && rest.isEmpty)
    }

    var isZero: Bool { integerDigits == [0] && fractionDigits.isEmpty }

    static func < (left: DecimalNumber, right: DecimalNumber) -> Bool {
        guard left.isNegative == right.isNegative else { return left.isNegative }
        let (small, large) = left.isNegative ? (right, left) : (left, right)
        if small.integerDigits.count != large.integerDigits.count {
            return small.integerDigits.count < large.integerDigits.count
        }
        return (small.integerDigits + small.fractionDigits)
            .lexicographicallyPrecedes(large.integerDigits + large.fractionDigits)
    }
}
