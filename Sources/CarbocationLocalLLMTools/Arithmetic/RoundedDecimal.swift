/// A decimal number of limited length, and whether it is the whole truth.
package struct RoundedDecimal: Sendable, Hashable {
    package let value: ExactDecimal
    /// Whether nothing was rounded away.
    package let isExact: Bool
}

extension ExactDecimal {
    /// What the true value has beyond the digits of a number that stands for it.
    package enum Tail: Sendable {
        case nothing
        /// It is further from zero, by less than one in the last digit.
        case more
        /// It is closer to zero, by less than one in the last digit.
        case less
    }

    /// The number with at most so many significant digits, rounded to the nearest one and halfway to the even one.
    package func rounded(toDigits count: Int, tail: Tail = .nothing) -> RoundedDecimal {
        let digits = significand.digits
        guard digits.count > count else { return RoundedDecimal(value: self, isExact: tail == .nothing) }
        var kept = NaturalNumber(digits: Array(digits.prefix(count)))
        if Self.roundsUp(digits, at: count, tail: tail) { kept = kept + .one }
        let value = ExactDecimal(
            isNegative: isNegative, significand: kept, exponent: exponent + digits.count - count)
        return RoundedDecimal(value: value, isExact: false)
    }

    private static func roundsUp(_ digits: [UInt8], at index: Int, tail: Tail) -> Bool {
        guard digits[index] == 5 else { return digits[index] > 5 }
        if digits[(index + 1)...].contains(where: { $0 != 0 }) { return true }
        switch tail {
        case .more: return true
        case .less: return false
        case .nothing: return index > 0 && !digits[index - 1].isMultiple(of: 2)
        }
    }
}
