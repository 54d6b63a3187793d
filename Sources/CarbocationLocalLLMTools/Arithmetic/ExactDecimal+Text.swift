extension ExactDecimal {
    /// How long the text of a number may be, in bytes.
    package static let maximumTextLength = 1_000

    /// Reads a number in JSON's syntax, with nothing around it; nil for anything else and for texts that are too long.
    ///
    /// Exponents beyond a million are held there, which is far outside of every range that is checked.
    package init?(_ text: String) {
        guard text.utf8.count <= Self.maximumTextLength else { return nil }
        var reader = DecimalReader(text)
        guard let number = reader.number() else { return nil }
        self = number
    }
}

extension ExactDecimal {
    /// The number in plain digits, with as many zeros as it takes.
    package var plainText: String {
        guard !isZero else { return "0" }
        let digits = digitText
        let text: String
        if exponent >= 0 {
            text = digits + Self.zeros(exponent)
        } else if digits.utf8.count > -exponent {
            text = digits.dropLast(-exponent) + "." + digits.suffix(-exponent)
        } else {
            text = "0." + Self.zeros(-exponent - digits.utf8.count) + digits
        }
        return isNegative ? "-" + text : text
    }

    /// The number as `1.5e-9`.
    package var scientificText: String {
        guard !isZero else { return "0" }
        let digits = digitText
        let fraction = digits.dropFirst()
        return (isNegative ? "-" : "") + digits.prefix(1) + (fraction.isEmpty ? "" : "." + fraction)
            + "e\(scientificExponent)"
    }

    private var digitText: String {
        String(decoding: significand.digits.map { $0 + UInt8(ascii: "0") }, as: UTF8.self)
    }

    private static func zeros(_ count: Int) -> String {
        String(repeating: "0", count: count)
    }
}
