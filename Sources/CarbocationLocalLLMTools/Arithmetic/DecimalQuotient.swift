/// A quotient of decimals, as far as it is needed.
package struct DecimalQuotient: Sendable, Hashable {
    /// The quotient, or the first digits of it.
    private let value: ExactDecimal
    /// The place of the last digit that was calculated, which may be a 0 that the value does not keep.
    private let lastExponent: Int
    /// What of the true quotient is not in the value.
    private let tail: ExactDecimal.Tail

    /// Divides two numbers; nil for a divisor of zero.
    ///
    /// Takes as many steps as digits are asked for, each in proportion to the digits of both numbers.
    ///
    /// - Parameters:
    ///   - dividend: The number to divide.
    ///   - divisor: The number to divide it by.
    ///   - count: How many significant digits are going to be used.
    package init?(_ dividend: ExactDecimal, by divisor: DecimalProduct, digits count: Int) {
        guard !divisor.value.isZero else { return nil }
        let excess = divisor.value.significand.digitCount - dividend.significand.digitCount
        var remainder = dividend.significand.shifted(by: excess)
        let unit = divisor.value.significand.shifted(by: -excess)
        var digits: [UInt8] = []
        // The first digit may be 0, and one digit beyond those asked for decides how they are rounded.
        while digits.count < count + 2, !remainder.isZero {
            if !digits.isEmpty { remainder.multiply(by: 10) }
            var digit: UInt8 = 0
            while unit <= remainder {
                remainder = remainder - unit
                digit += 1
            }
            digits.append(digit)
        }
        lastExponent = dividend.exponent - divisor.value.exponent - excess - (digits.count - 1)
        value = ExactDecimal(
            isNegative: dividend.isNegative != divisor.value.isNegative, significand: NaturalNumber(digits: digits),
            exponent: lastExponent)
        tail = Self.tail(of: remainder, dividend: dividend, divisor: divisor)
    }

    /// A true divisor that is greater makes the quotient smaller, but by less than what a remainder stands for.
    private static func tail(
        of remainder: NaturalNumber, dividend: ExactDecimal, divisor: DecimalProduct
    ) -> ExactDecimal.Tail {
        guard remainder.isZero else { return .more }
        return divisor.isTruncated && !dividend.isZero ? .less : .nothing
    }

    /// The quotient with at most so many significant digits, not more than it was asked for.
    package func rounded(toDigits count: Int) -> RoundedDecimal {
        value.rounded(toDigits: count, tail: tail)
    }

    /// The digits with one more that stands for all the others, so that rounding them is rounding the true quotient.
    package var withTail: ExactDecimal {
        guard tail == .more else { return value }
        return value + ExactDecimal(value.isNegative ? -1 : 1, exponent: lastExponent - 1)
    }
}
