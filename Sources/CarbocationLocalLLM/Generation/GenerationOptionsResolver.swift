public import Foundation

/// Makes generation options out of an app's preferences.
public enum GenerationOptionsResolver {
    /// The options the user chose.
    ///
    /// In any mode but ``GenerationOptionsMode/custom`` the steady choices of ``GenerationOptions/extractionSafe``.
    /// Otherwise what is stored; `topP` and `topK` of 0 and below stand for 0.9 and 40. Values that are no numbers
    /// count as not stored.
    ///
    /// - Parameters:
    ///   - defaults: The preferences.
    ///   - keys: The names of the settings.
    /// - Returns: Options with nothing but sampling set.
    public static func configuredExtractionOptions(
        defaults: UserDefaults = .standard, keys: GenerationOptionsPreferenceKeys = .standard
    ) -> GenerationOptions {
        let mode = defaults.string(forKey: keys.optionsMode).flatMap(GenerationOptionsMode.init) ?? .extractionSafe
        guard mode == .custom else { return .extractionSafe }
        let fallback = GenerationOptions.extractionSafe
        let topP = number(defaults, keys.topP) ?? 0
        let topK = number(defaults, keys.topK).flatMap { Int(exactly: $0.rounded(.towardZero)) } ?? 0
        return GenerationOptions(
            temperature: number(defaults, keys.temperature),
            topP: topP > 0 ? topP : fallback.topP,
            topK: topK > 0 ? topK : fallback.topK,
            minP: number(defaults, keys.minP),
            presencePenalty: number(defaults, keys.presencePenalty),
            repetitionPenalty: number(defaults, keys.repetitionPenalty),
            seed: number(defaults, keys.seed).flatMap { UInt32(exactly: $0) }
        )
    }

    /// A finite number, stored as such or as text; nil for everything else.
    private static func number(_ defaults: UserDefaults, _ key: String) -> Double? {
        let number: Double? =
            switch defaults.object(forKey: key) {
            case let text as String: decimal(text.trimmingCharacters(in: .whitespacesAndNewlines))
            case let number as NSNumber: number.doubleValue
            default: nil
            }
        return number.flatMap { $0.isFinite ? $0 : nil }
    }

    /// Hexadecimal numbers and names such as `inf` are not what users type.
    private static func decimal(_ text: String) -> Double? {
        text.utf8.allSatisfy { "0123456789+-.eE".utf8.contains($0) } ? Double(text) : nil
    }
}
