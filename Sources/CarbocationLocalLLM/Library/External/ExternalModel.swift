import Foundation

/// What one of the stores of other programs says about a model.
struct ExternalModel {
    /// What the id is made from.
    var identity: String
    var displayName: String
    var directory: String
    /// What the model counts as unless it is in the catalog.
    var origin = ModelSource.imported
    var repo: String?
    var fileInRepo: String?
    /// What the names say; nil leaves it to the header.
    var quantization: String?
    var artifacts: [InstalledModelArtifact]

    func installed(_ model: LocalModel) -> InstalledModel {
        InstalledModel(
            id: DeterministicID.uuid(identity), displayName: displayName, filename: model.primary.relativePath,
            sizeBytes: model.sizeBytes, contextLength: model.header.contextLength ?? 0,
            quantization: quantization ?? model.header.quantization, source: source, hfRepo: repo,
            hfFilename: fileInRepo, sha256: artifacts.first?.sha256, artifacts: artifacts,
            storageLocation: InstalledModelStorageLocation(kind: .external, directoryPath: directory),
            installedAt: model.primary.status.modified.date, samplingDefaults: model.header.samplingDefaults)
    }

    private var source: ModelSource {
        guard let repo, let fileInRepo else { return origin }
        let isCurated = CuratedModelCatalog.all.contains {
            $0.hfRepo.lowercased() == repo.lowercased() && $0.hfFilename.lowercased() == fileInRepo.lowercased()
        }
        return isCurated ? .curated : origin
    }
}
