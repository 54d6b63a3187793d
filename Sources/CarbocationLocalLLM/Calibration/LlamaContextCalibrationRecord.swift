public import Foundation

/// What a calibration found.
public struct LlamaContextCalibrationRecord: Codable, Sendable, Hashable {
    /// What it holds for.
    public var key: LlamaContextCalibrationKey
    /// The largest context that worked, in tokens.
    public var maximumSupportedContext: Int
    /// The sizes that were tried, in the order of trying.
    public var probedTiers: [LlamaContextCalibrationProbe]
    /// When this key was calibrated for the first time.
    public var createdAt: Date
    /// When this key was calibrated last.
    public var updatedAt: Date

    /// Creates a record.
    public init(
        key: LlamaContextCalibrationKey, maximumSupportedContext: Int, probedTiers: [LlamaContextCalibrationProbe],
        createdAt: Date, updatedAt: Date
    ) {
        self.key = key
        self.maximumSupportedContext = maximumSupportedContext
        self.probedTiers = probedTiers
        self.createdAt = createdAt
        self.updatedAt = updatedAt
    }
}

/// One context size that was tried.
public struct LlamaContextCalibrationProbe: Codable, Sendable, Hashable {
    /// The size in tokens.
    public var context: Int
    /// Whether the context could be made and used.
    public var succeeded: Bool

    /// Creates a probe.
    public init(context: Int, succeeded: Bool) {
        self.context = context
        self.succeeded = succeeded
    }
}
