/// All files of a model, downloaded and verified, ready to be installed.
public struct HuggingFaceModelDownloadResult: Sendable {
    /// What was downloaded.
    public var resolution: HuggingFaceResolution

    /// The files in the order of the resolution, to be moved into the library.
    public var artifacts: [ModelLibraryInstallArtifact]

    /// The size of all files together.
    public var sizeBytes: Int64

    /// The SHA-256 of the file that a runtime opens.
    public var primarySHA256: String

    /// Creates a result.
    public init(
        resolution: HuggingFaceResolution, artifacts: [ModelLibraryInstallArtifact], sizeBytes: Int64,
        primarySHA256: String
    ) {
        self.resolution = resolution
        self.artifacts = artifacts
        self.sizeBytes = sizeBytes
        self.primarySHA256 = primarySHA256
    }
}
