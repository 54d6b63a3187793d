extension InstalledModel {
    /// Whether the weights are those that a download would bring; false when their content is not known.
    func hasWeights(of resolution: HuggingFaceResolution) -> Bool {
        let primary = resolution.primaryArtifact
        guard hfRepo == resolution.reference.repo, hfFilename == primary.path, let own = sha256,
            let wanted = primary.sha256
        else { return false }
        return own.lowercased() == wanted.lowercased()
    }

    /// Whether there is the projector that a download would bring, if it brings one.
    ///
    /// A model of another program has the projector that this program has chosen, and cannot be given another.
    func hasProjector(of resolution: HuggingFaceResolution) -> Bool {
        guard let wanted = resolution.mmprojArtifact else { return true }
        return artifacts.contains { $0.role == .mmproj && (isReadOnly || $0.isSame(as: wanted)) }
    }
}

extension InstalledModelArtifact {
    /// Whether the content is the same, as far as that is known, else the path and the size.
    fileprivate func isSame(as other: HuggingFaceResolvedArtifact) -> Bool {
        if let sha256, let digest = other.sha256 { return sha256.lowercased() == digest.lowercased() }
        return relativePath == other.path && (other.sizeBytes <= 0 || sizeBytes == other.sizeBytes)
    }
}
