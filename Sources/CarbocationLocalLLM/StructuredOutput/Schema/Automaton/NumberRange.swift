/// What a schema says about a number.
struct NumberRange: Hashable, Sendable {
    struct Bound: Hashable, Sendable {
        var number: DecimalNumber
        var isExclusive: Bool
    }

    var lower: Bound?
    var upper: Bound?
    var multiples: [NumberMultiple] = []

    var isUnlimited: Bool { self == NumberRange() }

    /// Whether the bounds alone leave no number.
    var isEmpty: Bool {
        guard let lower, let upper else { return false }
        return upper.number < lower.number
            || (upper.number == lower.number && (upper.isExclusive || lower.isExclusive))
    }

    /// Keeps the numbers that both ranges have.
    mutating func narrow(to other: NumberRange) {
        if let lower = other.lower { raiseLower(to: lower) }
        if let upper = other.upper { reduceUpper(to: upper) }
        multiples += other.multiples.filter { !multiples.contains($0) }
    }

    func contains(_ number: DecimalNumber) -> Bool {
        if let lower, number < lower.number || (lower.isExclusive && number == lower.number) { return false }
        if let upper, upper.number < number || (upper.isExclusive && number == upper.number) { return false }
        return multiples.allSatisfy { $0.divides(number) }
    }

    mutating func raiseLower(to bound: Bound) {
        guard let lower else { return self.lower = bound }
        if lower.number < bound.number || (lower.number == bound.number && bound.isExclusive) { self.lower = bound }
    }

    mutating func reduceUpper(to bound: Bound) {
        guard let upper else { return self.upper = bound }
        if bound.number < upper.number || (upper.number == bound.number && bound.isExclusive) { self.upper = bound }
    }
}

/// A number that others have to be multiples of: `coefficient` · 10^−`scale`.
struct NumberMultiple: Hashable, Sendable {
    private static let maximumCoefficient = 1_000
    private static let maximumRemainders = 200

    let coefficient: Int
    let scale: Int

    /// Nil if the number is not above zero, or has more digits than remainders can be kept for.
    init?(_ number: DecimalNumber) {
        guard !number.isNegative, !number.isZero, number.integerDigits.count <= 4, number.fractionDigits.count <= 9
        else { return nil }
        var value = 0
        for digit in number.integerDigits + number.fractionDigits {
            value = value * 10 + digit
            guard value <= Self.maximumCoefficient else { return nil }
        }
        // Whether 2 or 5 divides a number is seen from its last digits, so these need few remainders.
        var remainders = value
        for factor in [2, 5] {
            while remainders.isMultiple(of: factor) { remainders /= factor }
        }
        guard remainders <= Self.maximumRemainders else { return nil }
        coefficient = value
        scale = number.fractionDigits.count
    }

    func divides(_ number: DecimalNumber) -> Bool {
        guard number.fractionDigits.count <= scale else { return false }
        let zeros = repeatElement(0, count: scale - number.fractionDigits.count)
        return (number.integerDigits + number.fractionDigits + zeros).reduce(0) { ($0 * 10 + $1) % coefficient } == 0
    }
}
