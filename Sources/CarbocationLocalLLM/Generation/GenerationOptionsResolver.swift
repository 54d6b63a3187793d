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
        let topP = defaults.storedNumber(forKey: keys.topP) ?? 0
        let topK = defaults.storedInteger(forKey: keys.topK) ?? 0
        return GenerationOptions(
            temperature: defaults.storedNumber(forKey: keys.temperature),
            topP: topP > 0 ? topP : fallback.topP,
            topK: topK > 0 ? topK : fallback.topK,
            minP: defaults.storedNumber(forKey: keys.minP),
            presencePenalty: defaults.storedNumber(forKey: keys.presencePenalty),
            repetitionPenalty: defaults.storedNumber(forKey: keys.repetitionPenalty),
            seed: defaults.storedNumber(forKey: keys.seed).flatMap { UInt32(exactly: $0) }
        )
    }
}
