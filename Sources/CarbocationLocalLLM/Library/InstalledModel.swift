public import Foundation
import GGUFFormat

/// A model that is on this computer.
///
/// Models in the library's own folder can be deleted; those of other programs are read-only.
public struct InstalledModel: Sendable, Hashable, Identifiable {
    /// The model's id; the same every time the library is read.
    public var id: UUID
    /// A name for people.
    public var displayName: String
    /// The place of the weights in the model's folder.
    public var filename: String
    /// The size of all files in bytes.
    public var sizeBytes: Int64
    /// The context the model was trained for in tokens; 0 when it is not known.
    public var contextLength: Int
    /// The quantization, for example `Q4_K_M`.
    public var quantization: String?
    /// Where the model came from.
    public var source: ModelSource
    /// The Hugging Face repository it came from.
    public var hfRepo: String?
    /// The path of the weights in that repository.
    public var hfFilename: String?
    /// The SHA-256 of the weights in hexadecimal, if it is known.
    public var sha256: String?
    /// All files of the model, the weights first.
    public var artifacts: [InstalledModelArtifact]
    /// Whose folder the model lies in.
    public var storageLocation: InstalledModelStorageLocation
    /// When the model was installed.
    public var installedAt: Date
    /// What the model's file recommends; read from its header and never stored with the model.
    public var samplingDefaults: LLMSamplingDefaults?

    /// Describes a model.
    public init(
        id: UUID,
        displayName: String,
        filename: String,
        sizeBytes: Int64,
        contextLength: Int = 0,
        quantization: String? = nil,
        source: ModelSource = .imported,
        hfRepo: String? = nil,
        hfFilename: String? = nil,
        sha256: String? = nil,
        artifacts: [InstalledModelArtifact] = [],
        storageLocation: InstalledModelStorageLocation = InstalledModelStorageLocation(),
        installedAt: Date = Date(),
        samplingDefaults: LLMSamplingDefaults? = nil
    ) {
        self.id = id
        self.displayName = displayName
        self.filename = filename
        self.sizeBytes = sizeBytes
        self.contextLength = contextLength
        self.quantization = quantization
        self.source = source
        self.hfRepo = hfRepo
        self.hfFilename = hfFilename
        self.sha256 = sha256
        self.artifacts = artifacts
        self.storageLocation = storageLocation
        self.installedAt = installedAt
        self.samplingDefaults = samplingDefaults
    }

    /// Whether the model belongs to another program, so that the library never changes it.
    public var isReadOnly: Bool { storageLocation.kind == .external }

    /// The quantization that a file name or path tells; nil when it tells none.
    public static func inferQuantization(from filename: String) -> String? {
        GGUFQuantization.name(fileName: filename)
    }
}
