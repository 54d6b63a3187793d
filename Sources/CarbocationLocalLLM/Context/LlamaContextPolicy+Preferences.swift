public import Foundation

// What the policy makes of an app's preferences. Numbers may be stored as numbers or as text; what is neither, or does
// not fit, counts as not stored.

extension LlamaContextPolicy {
    /// Who decides about the context.
    ///
    /// The stored mode when it is one. Else a stored context that is not the legacy default was a choice of the user,
    /// from before there were modes.
    ///
    /// - Parameters:
    ///   - defaults: The preferences.
    ///   - keys: The names of the settings.
    /// - Returns: The mode; automatic when nothing is stored.
    public static func currentMode(
        defaults: UserDefaults, keys: LlamaContextPreferenceKeys = .standard
    ) -> LlamaContextMode {
        if let mode = defaults.string(forKey: keys.contextMode).flatMap(LlamaContextMode.init) { return mode }
        guard let context = defaults.storedInteger(forKey: keys.numCtx) else { return .auto }
        return context > 0 && context != legacyDefaultNumCtx ? .manual : .auto
    }

    /// How much context to load a model with.
    ///
    /// In manual mode what the user stored, even beyond what the model was trained with or calibration found; loading
    /// clamps it. In automatic mode ``autoContext(trainingContext:autoCap:calibratedMaximum:)`` with the user's limit
    /// or, when the limit is to be the maximum, with the calibrated maximum.
    ///
    /// - Parameters:
    ///   - trainingContext: What the model was trained with, in tokens; 0 or below when it does not say.
    ///   - calibratedMaximum: What calibration found to fit, in tokens; nil, 0 or below when there was none.
    ///   - defaults: The preferences.
    ///   - keys: The names of the settings.
    /// - Returns: The size in tokens, at least ``minimumContext``.
    public static func requestedContext(
        trainingContext: Int, calibratedMaximum: Int? = nil, defaults: UserDefaults,
        keys: LlamaContextPreferenceKeys = .standard
    ) -> Int {
        switch currentMode(defaults: defaults, keys: keys) {
        case .manual:
            return sanitizedContext(defaults.storedInteger(forKey: keys.numCtx) ?? 0)
        case .auto:
            let cap =
                defaults.bool(forKey: keys.autoContextLimitUsesMaximum)
                ? maximumCap(trainingContext: trainingContext, calibratedMaximum: calibratedMaximum)
                : limitCap(defaults.storedInteger(forKey: keys.autoContextLimit))
            return autoContext(trainingContext: trainingContext, autoCap: cap, calibratedMaximum: calibratedMaximum)
        }
    }

    /// Without calibration nobody knows how much fits, so that the maximum is no more than the default.
    private static func maximumCap(trainingContext: Int, calibratedMaximum: Int?) -> Int {
        if let calibratedMaximum, calibratedMaximum > 0 { return calibratedMaximum }
        return trainingContext > 0 ? min(trainingContext, defaultAutoCap) : defaultAutoCap
    }

    private static func limitCap(_ limit: Int?) -> Int {
        guard let limit, limit > 0 else { return defaultAutoCap }
        return sanitizedContext(limit)
    }
}
