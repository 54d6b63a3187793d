/// What a calibration is doing.
public enum LlamaContextCalibrationProgressPhase: String, Codable, Sendable {
    /// The model is being loaded.
    case loadingModel
    /// A context size is being tried.
    case probing
    /// The size that was tried works.
    case probeSucceeded
    /// The size that was tried does not work.
    case probeFailed
    /// What was found is being stored.
    case saving
    /// All is done and stored.
    case completed
    /// The calibration was cancelled, and nothing is stored.
    case cancelled
}

/// How far a calibration is.
public struct LlamaContextCalibrationProgress: Sendable, Hashable {
    /// What is being done.
    public var phase: LlamaContextCalibrationProgressPhase
    /// The context size the phase is about, in tokens.
    public var currentContext: Int?
    /// The largest context that worked so far, in tokens.
    public var lastSuccessfulContext: Int?
    /// Sizes that were tried.
    public var completedProbes: Int
    /// The most sizes that will be tried; fewer may be enough.
    public var totalProbes: Int

    /// Creates a report.
    public init(
        phase: LlamaContextCalibrationProgressPhase, currentContext: Int? = nil, lastSuccessfulContext: Int? = nil,
        completedProbes: Int = 0, totalProbes: Int = 0
    ) {
        self.phase = phase
        self.currentContext = currentContext
        self.lastSuccessfulContext = lastSuccessfulContext
        self.completedProbes = completedProbes
        self.totalProbes = totalProbes
    }

    /// The part of the sizes that were tried, 0 to 1; nil while it is not known how many there are.
    public var fractionCompleted: Double? {
        guard totalProbes > 0 else { return nil }
        return min(max(Double(completedProbes) / Double(totalProbes), 0), 1)
    }
}
