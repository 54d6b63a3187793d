public import Foundation

/// One file of a resolved model.
public struct HuggingFaceResolvedArtifact: Codable, Sendable, Hashable {
    /// What the file is to the model.
    public var role: HuggingFaceArtifactRole

    /// Its path in the repository.
    public var path: String

    /// Where it can be downloaded, pinned to a commit.
    public var url: URL

    /// Its size in bytes.
    public var sizeBytes: Int64

    /// The SHA-256 of its content, 64 lower-case hexadecimal digits, if the server told it.
    public var sha256: String?

    /// Creates a description of a file.
    public init(role: HuggingFaceArtifactRole, path: String, url: URL, sizeBytes: Int64, sha256: String? = nil) {
        self.role = role
        self.path = path
        self.url = url
        self.sizeBytes = sizeBytes
        self.sha256 = sha256
    }
}
