import Foundation

/// A model folder without a description: a model all the same when it holds the files of exactly one.
struct OrphanFolder {
    let folder: ManagedFolder

    func outcome() -> ManagedFolder.Outcome {
        guard let files = try? modelFiles() else { return folder.damaged(.unreadableMetadata) }
        let candidates = LocalModelFiles(files: files, headers: folder.headers)
        let models = candidates.models()
        guard models.count == 1, var model = models.first else { return folder.damaged(problem(files)) }
        let projectors = candidates.projectors()
        let chosen = ProjectorRule.projector(
            for: model.primary.relativePath, among: projectors.map(\.relativePath))
        model.projector = projectors.first { $0.relativePath == chosen }
        return .orphan(installed(model))
    }

    private func modelFiles() throws -> [FoundFile] {
        try folder.calls.entries(of: folder.path).filter { ModelFileName.isGGUF($0.name) }.compactMap { entry in
            let path = folder.path + "/" + entry.name
            guard let status = try folder.calls.statusIfPresent(of: path, followingLinks: false),
                status.kind == .regular
            else { return nil }
            return FoundFile(relativePath: entry.name, path: path, status: status)
        }
    }

    /// What is wrong with a folder that holds none or several models.
    private func problem(_ files: [FoundFile]) -> DamagedInstalledModel.Reason {
        guard let only = files.first else { return .unreadableMetadata }
        let groups = Set(files.map { ModelFileGroup(containing: $0.relativePath) })
        guard groups.count == 1, let group = groups.first else { return .unreadableMetadata }
        if files.count == 1, folder.headers.header(at: only.path, only.status)?.isGGUF != true {
            return .notAModelFile(only.relativePath)
        }
        let present = Set(files.map(\.relativePath))
        let missing = group.parts.lazy.filter { !present.contains($0) }.prefix(100)
        return missing.isEmpty ? .unreadableMetadata : .incompleteSplit(missing: Array(missing))
    }

    private func installed(_ model: LocalModel) -> InstalledModel {
        let name = model.primary.relativePath
        return InstalledModel(
            id: folder.id, displayName: ModelFileName.stem(name), filename: name, sizeBytes: model.sizeBytes,
            contextLength: model.header.contextLength ?? 0,
            quantization: model.header.quantization ?? InstalledModel.inferQuantization(from: name),
            source: .imported, artifacts: model.artifacts, installedAt: model.primary.status.modified.date,
            samplingDefaults: model.header.samplingDefaults)
    }
}
