/// A decimal number without any limit to its digits.
///
/// Sums and products are exact. A sum takes time and memory in proportion to the distance between the highest and the
/// lowest digit of both numbers, so whoever takes numbers from outside bounds their ``scientificExponent`` first.
package struct ExactDecimal: Sendable, Hashable {
    /// Never true for zero.
    package let isNegative: Bool
    /// The digits without their place, not divisible by ten.
    package let significand: NaturalNumber
    /// The place of the last digit: the value is the significand times ten to this power.
    package let exponent: Int

    /// Creates a number from its parts, of which equal numbers get the same.
    package init(isNegative: Bool = false, significand: NaturalNumber, exponent: Int) {
        var digits = significand
        let zeros = digits.removeTrailingZeros()
        self.isNegative = isNegative && !digits.isZero
        self.significand = digits
        self.exponent = digits.isZero ? 0 : exponent + zeros
    }

    /// Creates a whole number times a power of ten.
    package init(_ integer: Int64, exponent: Int = 0) {
        let digits = String(integer.magnitude).utf8.map { $0 - UInt8(ascii: "0") }
        self.init(isNegative: integer < 0, significand: NaturalNumber(digits: digits), exponent: exponent)
    }

    package static let zero = ExactDecimal(0)
    package static let one = ExactDecimal(1)

    package var isZero: Bool { significand.isZero }

    /// Whether there is nothing behind the decimal point.
    package var isInteger: Bool { exponent >= 0 }

    /// The place of the first digit, as scientific notation writes it: 2 for 123, -1 for 0.5; 0 for zero.
    package var scientificExponent: Int {
        isZero ? 0 : exponent + significand.digitCount - 1
    }
}

extension ExactDecimal {
    package static prefix func - (number: ExactDecimal) -> ExactDecimal {
        ExactDecimal(isNegative: !number.isNegative, significand: number.significand, exponent: number.exponent)
    }

    package static func + (lhs: ExactDecimal, rhs: ExactDecimal) -> ExactDecimal {
        if lhs.isZero { return rhs }
        if rhs.isZero { return lhs }
        let exponent = min(lhs.exponent, rhs.exponent)
        let left = lhs.significand.shifted(by: lhs.exponent - exponent)
        let right = rhs.significand.shifted(by: rhs.exponent - exponent)
        if lhs.isNegative == rhs.isNegative {
            return ExactDecimal(isNegative: lhs.isNegative, significand: left + right, exponent: exponent)
        }
        return left < right
            ? ExactDecimal(isNegative: rhs.isNegative, significand: right - left, exponent: exponent)
            : ExactDecimal(isNegative: lhs.isNegative, significand: left - right, exponent: exponent)
    }

    package static func - (lhs: ExactDecimal, rhs: ExactDecimal) -> ExactDecimal {
        lhs + (-rhs)
    }

    package static func * (lhs: ExactDecimal, rhs: ExactDecimal) -> ExactDecimal {
        ExactDecimal(
            isNegative: lhs.isNegative != rhs.isNegative, significand: lhs.significand * rhs.significand,
            exponent: lhs.exponent + rhs.exponent)
    }
}
