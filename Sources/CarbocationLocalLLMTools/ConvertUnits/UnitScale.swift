/// How a unit relates to the base unit of its category: (value + zero) · numerator / denominator.
struct UnitScale: Sendable, Hashable {
    private let numerator: ExactDecimal
    private let denominator: ExactDecimal
    /// What is added to a value so that it counts from the same zero as the base unit.
    let zero: ExactDecimal

    /// Creates a scale of coefficient · 10^exponent / divisor.
    init(_ coefficient: Int64, exponent: Int = 0, over divisor: Int64 = 1, zero: ExactDecimal = .zero) {
        numerator = ExactDecimal(coefficient, exponent: exponent)
        denominator = ExactDecimal(divisor)
        self.zero = zero
    }

    /// Whether a value is less than none at all.
    func isBelowZero(_ value: ExactDecimal) -> Bool {
        (value + zero).isNegative
    }

    /// A value of this scale as one of another scale.
    ///
    /// - Parameters:
    ///   - value: A value, of bounded size.
    ///   - target: The other scale.
    ///   - digits: How many significant digits of the result are going to be used.
    /// - Returns: The result; nil only for a scale of zero.
    func convert(_ value: ExactDecimal, to target: UnitScale, digits: Int) -> DecimalQuotient? {
        let divisor = denominator * target.numerator
        let dividend = (value + zero) * numerator * target.denominator - target.zero * divisor
        return DecimalQuotient(dividend, by: DecimalProduct(divisor), digits: digits)
    }
}
