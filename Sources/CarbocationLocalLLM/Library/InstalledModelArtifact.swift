/// What a file of a model is for.
public enum InstalledModelArtifactRole: String, Codable, Sendable, Hashable {
    /// The weights, or the first part of them: the file that is loaded.
    case primaryModel
    /// A further part of split weights.
    case splitModel
    /// A projector for images, which text generation does not use.
    case mmproj
}

/// One file of an installed model.
public struct InstalledModelArtifact: Codable, Sendable, Hashable {
    /// What the file is for.
    public var role: InstalledModelArtifactRole
    /// The file's place in the model's folder.
    public var relativePath: String
    /// The file's size in bytes.
    public var sizeBytes: Int64
    /// The SHA-256 of the contents in hexadecimal, if it is known.
    public var sha256: String?

    /// Describes a file.
    public init(role: InstalledModelArtifactRole, relativePath: String, sizeBytes: Int64, sha256: String? = nil) {
        self.role = role
        self.relativePath = relativePath
        self.sizeBytes = sizeBytes
        self.sha256 = sha256
    }
}
