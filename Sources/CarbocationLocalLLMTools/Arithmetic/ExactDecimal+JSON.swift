package import CarbocationLocalLLM

extension LLMJSONValue {
    /// The number, or the text of one in JSON's syntax, as a decimal; nil for everything else.
    ///
    /// A double stands for the shortest decimal that reads as that double, which is what was written in all but
    /// contrived cases.
    package var exactDecimal: ExactDecimal? {
        switch self {
        case .int(let number): ExactDecimal(number)
        case .double(let number): number.isFinite ? ExactDecimal("\(number)") : nil
        case .string(let text): ExactDecimal(text)
        case .null, .bool, .array, .object: nil
        }
    }
}

extension ExactDecimal {
    /// The number as an integer if it is one within 64 bits, else as the closest double; nil if it is beyond the range
    /// of doubles, or so small that it would become zero.
    package var jsonNumber: LLMJSONValue? {
        if isInteger, scientificExponent < 20, let integer = Int64(plainText) { return .int(integer) }
        guard let double = Double(scientificText), double.isFinite, double != 0 else { return nil }
        // Coders write such a double as an integer, so that it would come back as another value.
        return Int64(exactly: double).map { .int($0) } ?? .double(double)
    }
}
