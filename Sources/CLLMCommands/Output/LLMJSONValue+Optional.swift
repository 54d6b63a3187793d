import CarbocationLocalLLM

extension LLMJSONValue {
    /// A text, or `null`.
    static func text(_ text: String?) -> LLMJSONValue { text.map { .string($0) } ?? .null }

    /// A whole number, or `null`; numbers beyond 64 bits are cut to what fits.
    static func count(_ number: (some BinaryInteger)?) -> LLMJSONValue {
        number.map { .int(Int64(clamping: $0)) } ?? .null
    }

    /// A number, or `null`.
    static func number(_ number: Double?) -> LLMJSONValue { number.map { .double($0) } ?? .null }
}
