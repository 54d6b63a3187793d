/// The sampling values that the makers of a model recommend in its file.
///
/// Values that are not finite or out of range are left out, each by itself.
package struct GGUFSamplingFacts: Sendable, Equatable {
    static let prefix = "general.sampling."

    package let temperature: Double?
    package let topP: Double?
    package let topK: Int?
    package let minP: Double?
    package let repetitionPenalty: Double?

    init(header: GGUFHeader) {
        func number(_ key: String, where isValid: (Double) -> Bool) -> Double? {
            guard let number = header[Self.prefix + key]?.finiteNumber, isValid(number) else { return nil }
            return number
        }
        temperature = number("temp") { $0 >= 0 }
        topP = number("top_p") { (0...1).contains($0) }
        minP = number("min_p") { (0...1).contains($0) }
        topK = number("top_k") { (0...Double(Int32.max)).contains($0) }.flatMap { Int(exactly: $0) }
        repetitionPenalty = number("penalty_repeat") { $0 > 0 }
    }
}
