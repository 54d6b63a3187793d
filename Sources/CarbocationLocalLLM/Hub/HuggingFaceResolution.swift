/// What a reference stands for at one commit: the files to download, in order.
public struct HuggingFaceResolution: Codable, Sendable, Hashable {
    /// The reference as it was asked for.
    public var reference: HuggingFaceModelReference

    /// The commit that all addresses are pinned to.
    public var commit: String

    /// The model or its first part, further parts in order, then the projector if one was asked for.
    public var artifacts: [HuggingFaceResolvedArtifact]

    /// The quantisation in upper case, as requested or as the file name tells.
    public var quantization: String?

    /// A name to show, the file's without its extension and split numbers.
    public var displayName: String

    /// Creates a resolution; `artifacts` should not be empty.
    public init(
        reference: HuggingFaceModelReference, commit: String, artifacts: [HuggingFaceResolvedArtifact],
        quantization: String? = nil, displayName: String
    ) {
        self.reference = reference
        self.commit = commit
        self.artifacts = artifacts
        self.quantization = quantization
        self.displayName = displayName
    }

    /// The file that a runtime opens.
    ///
    /// A resolution without files, which no resolver makes, answers with an empty artifact.
    public var primaryArtifact: HuggingFaceResolvedArtifact {
        artifacts.first { $0.role == .primaryModel } ?? artifacts.first
            ?? HuggingFaceResolvedArtifact(role: .primaryModel, path: "", url: reference.endpoint, sizeBytes: 0)
    }

    /// The projector, if there is one.
    public var mmprojArtifact: HuggingFaceResolvedArtifact? { artifacts.first { $0.role == .mmproj } }

    /// The size of all files together; unreasonable sizes give `Int64.max`, never an overflow.
    public var totalSizeBytes: Int64 { artifacts.reduce(0) { $0.addingSaturated(max($1.sizeBytes, 0)) } }

    /// The number of parts of the model, 1 when it is a single file.
    public var splitCount: Int { artifacts.count { $0.role != .mmproj } }
}

extension HuggingFaceResolution {
    /// The projector without the model it is for, or nil if there is none.
    ///
    /// The reference names the model's file.
    package var projectorAlone: HuggingFaceResolution? {
        guard let projector = mmprojArtifact else { return nil }
        var alone = self
        alone.reference.file = primaryArtifact.path
        alone.artifacts = [projector]
        return alone
    }

    /// Whether there is a projector and no model.
    package var isProjectorAlone: Bool { mmprojArtifact != nil && splitCount == 0 }
}
