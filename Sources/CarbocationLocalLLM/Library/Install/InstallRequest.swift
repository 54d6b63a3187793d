/// What is to be installed.
struct InstallRequest: Sendable {
    var artifacts: [ModelLibraryInstallArtifact]
    var displayName: String
    var source: ModelSource
    var hfRepo: String?
    var hfFilename: String?
    /// The training context; 0 or less to find it out.
    var contextLength = 0
    /// The quantization; nil to find it out.
    var quantization: String?
}
