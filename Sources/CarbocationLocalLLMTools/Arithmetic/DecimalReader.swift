/// Reads a number in JSON's syntax.
struct DecimalReader {
    private static let maximumExponent = 1_000_000

    private let bytes: [UInt8]
    private var position = 0

    init(_ text: String) {
        bytes = Array(text.utf8)
    }

    /// The number, if the whole text is one.
    mutating func number() -> ExactDecimal? {
        let isNegative = skip(UInt8(ascii: "-"))
        var digits: [UInt8] = []
        readDigits(into: &digits)
        guard let first = digits.first, first != 0 || digits.count == 1 else { return nil }
        let wholeCount = digits.count
        if skip(UInt8(ascii: ".")) {
            readDigits(into: &digits)
            guard digits.count > wholeCount else { return nil }
        }
        guard let exponent = readExponent(), position == bytes.count else { return nil }
        return ExactDecimal(
            isNegative: isNegative, significand: NaturalNumber(digits: digits),
            exponent: exponent - (digits.count - wholeCount))
    }

    /// The exponent, 0 if there is none; nil if something else follows its letter.
    private mutating func readExponent() -> Int? {
        guard skip(UInt8(ascii: "e")) || skip(UInt8(ascii: "E")) else { return 0 }
        let isNegative = skip(UInt8(ascii: "-"))
        if !isNegative { _ = skip(UInt8(ascii: "+")) }
        var digits: [UInt8] = []
        readDigits(into: &digits)
        guard !digits.isEmpty else { return nil }
        let magnitude = digits.reduce(0) { min($0 * 10 + Int($1), Self.maximumExponent) }
        return isNegative ? -magnitude : magnitude
    }

    private mutating func skip(_ byte: UInt8) -> Bool {
        guard position < bytes.count, bytes[position] == byte else { return false }
        position += 1
        return true
    }

    private mutating func readDigits(into digits: inout [UInt8]) {
        while position < bytes.count, bytes[position] >= UInt8(ascii: "0"), bytes[position] <= UInt8(ascii: "9") {
            digits.append(bytes[position] - UInt8(ascii: "0"))
            position += 1
        }
    }
}
