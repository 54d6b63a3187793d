/// How many tokens of context a GGUF model is loaded with.
///
/// All sizes are in tokens.
public enum LlamaContextPolicy {
    #if os(iOS)
        /// The most that automatic mode asks for while the user sets no limit.
        public static let defaultAutoCap = 4_096
        /// What stands in for the training context of a model that does not state one.
        public static let unknownTrainingFallback = 4_096
    #else
        /// The most that automatic mode asks for while the user sets no limit.
        public static let defaultAutoCap = 16_384
        /// What stands in for the training context of a model that does not state one.
        public static let unknownTrainingFallback = 8_192
    #endif
    /// The value that older versions stored without the user choosing it.
    public static let legacyDefaultNumCtx = 8_192
    /// The least that is ever loaded.
    public static let minimumContext = 512

    /// A usable size for a stored one: the legacy default for 0 and below, and never under the minimum.
    public static func sanitizedContext(_ value: Int) -> Int {
        max(minimumContext, value > 0 ? value : legacyDefaultNumCtx)
    }

    /// The size that automatic mode loads.
    ///
    /// The smallest of the training context, the cap and what calibration found to fit; calibration never raises it.
    /// A training context of 0 or below means that the model states none, a calibrated maximum of 0 or below that
    /// there was no calibration.
    public static func autoContext(
        trainingContext: Int,
        autoCap: Int = LlamaContextPolicy.defaultAutoCap,
        calibratedMaximum: Int? = nil
    ) -> Int {
        let trained = trainingContext > 0 ? trainingContext : unknownTrainingFallback
        var cap = autoCap > 0 ? autoCap : defaultAutoCap
        if let calibratedMaximum, calibratedMaximum > 0 { cap = min(cap, calibratedMaximum) }
        return max(minimumContext, min(trained, cap))
    }

    /// The size a load really uses for a requested one.
    ///
    /// A request of 0 or below stands for all the model was trained with; a known training context is never exceeded.
    package static func clampedLoadContext(requested: Int, training: Int) -> Int {
        var context = requested
        if context <= 0 { context = training > 0 ? training : unknownTrainingFallback }
        if training > 0 { context = min(context, training) }
        return max(minimumContext, context)
    }
}
