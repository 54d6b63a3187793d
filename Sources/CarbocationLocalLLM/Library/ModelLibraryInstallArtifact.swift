public import Foundation

/// A file that is to become part of an installed model.
public struct ModelLibraryInstallArtifact: Sendable, Hashable {
    /// Where the file is now.
    public var sourceURL: URL
    /// What it is for.
    public var role: InstalledModelArtifactRole
    /// Its place in the model's folder.
    public var relativePath: String
    /// Its size in bytes; 0 or less to look it up.
    public var sizeBytes: Int64
    /// The SHA-256 of its contents in hexadecimal, if it is known.
    public var sha256: String?
    /// Whether the file stays where it is and a copy is installed.
    public var copySource: Bool

    /// Describes a file.
    public init(
        sourceURL: URL,
        role: InstalledModelArtifactRole,
        relativePath: String,
        sizeBytes: Int64 = 0,
        sha256: String? = nil,
        copySource: Bool = false
    ) {
        self.sourceURL = sourceURL
        self.role = role
        self.relativePath = relativePath
        self.sizeBytes = sizeBytes
        self.sha256 = sha256
        self.copySource = copySource
    }
}
