public import Foundation

/// What tells one installed model from another, or from an earlier state of itself.
public struct LlamaContextCalibrationModelFingerprint: Codable, Sendable, Hashable {
    /// The id of the installed model.
    public var modelID: UUID
    /// The place of the weights in the model's folder.
    public var filename: String
    /// The size of all files in bytes.
    public var sizeBytes: Int64
    /// The SHA-256 of the weights in hexadecimal, if it is known.
    public var sha256: String?
    /// The context the model was trained for in tokens; 0 when it is not known.
    public var trainingContext: Int

    /// Describes a model.
    public init(modelID: UUID, filename: String, sizeBytes: Int64, sha256: String? = nil, trainingContext: Int) {
        self.modelID = modelID
        self.filename = filename
        self.sizeBytes = sizeBytes
        self.sha256 = sha256
        self.trainingContext = trainingContext
    }
}

extension LlamaContextCalibrationModelFingerprint {
    /// The fingerprint of a model as the library lists it.
    package init(model: InstalledModel) {
        self.init(
            modelID: model.id, filename: model.filename, sizeBytes: model.sizeBytes, sha256: model.sha256,
            trainingContext: model.contextLength)
    }
}
