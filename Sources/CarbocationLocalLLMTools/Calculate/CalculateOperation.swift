import CarbocationLocalLLM

/// An operation of the tool `calculate`.
enum CalculateOperation: String, CaseIterable, Sendable {
    case add, subtract, multiply, divide, power

    /// How many significant digits a result can have.
    private static let maximumDigits = 38
    /// How far from zero the exponent of a power can be.
    private static let maximumPower = 1_000

    /// The names of all operations, for a sentence.
    static let list = allCases.map(\.rawValue).joined(separator: ", ")

    var operandCount: ClosedRange<Int> {
        switch self {
        case .add, .multiply: 1...Int.max
        case .subtract, .divide: 2...Int.max
        case .power: 2...2
        }
    }

    /// What is wrong with a number of operands that is not in ``operandCount``.
    func countMessage(for count: Int) -> String {
        switch self {
        case .add, .multiply: "There are no operands. Give at least one number."
        case .subtract, .divide: "\(count) operands are too few for \(rawValue). Give at least two numbers."
        case .power: "\(count) operands do not make a power. Give two numbers, the base and its exponent."
        }
    }

    /// The result, rounded to 38 digits.
    ///
    /// - Parameter operands: As many as ``operandCount`` says, of bounded length and size.
    /// - Returns: The result, of any size.
    /// - Throws: A failure for a division by zero and for exponents that are no whole numbers or too large.
    func result(of operands: [ExactDecimal]) throws(ToolFailure) -> RoundedDecimal {
        let first = operands.first ?? .zero
        let others = operands.dropFirst()
        switch self {
        case .add:
            return others.reduce(first, +).rounded(toDigits: Self.maximumDigits)
        case .subtract:
            return others.reduce(first, -).rounded(toDigits: Self.maximumDigits)
        case .multiply:
            return DecimalProduct(of: operands).rounded(toDigits: Self.maximumDigits)
        case .divide:
            return try Self.quotient(first, DecimalProduct(of: Array(others)))
        case .power:
            return try Self.power(of: first, exponent: others.first ?? .one)
        }
    }

    private static func quotient(
        _ dividend: ExactDecimal, _ divisor: DecimalProduct
    ) throws(ToolFailure) -> RoundedDecimal {
        guard let quotient = DecimalQuotient(dividend, by: divisor, digits: maximumDigits) else {
            throw ToolFailure("Division by zero")
        }
        return quotient.rounded(toDigits: maximumDigits)
    }

    private static func power(of base: ExactDecimal, exponent: ExactDecimal) throws(ToolFailure) -> RoundedDecimal {
        guard exponent.isInteger else {
            throw ToolFailure("The exponent of a power must be a whole number, without a fraction.")
        }
        guard exponent.scientificExponent < 4, let power = Int(exponent.plainText), power.magnitude <= maximumPower
        else {
            throw ToolFailure("The exponent of a power must be between -\(maximumPower) and \(maximumPower).")
        }
        let product = DecimalProduct(base, raisedTo: Int(power.magnitude))
        return power < 0 ? try quotient(.one, product) : product.rounded(toDigits: maximumDigits)
    }
}
