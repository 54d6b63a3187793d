import Foundation

/// The files of one revision of a cached repository.
struct HuggingFaceSnapshot {
    let repo: String
    let commit: String
    let path: String
    /// The cache's folder without links; what lies outside is not looked at.
    let cacheRoot: String

    func models(calls: any FileCalls, headers: HeaderTable) -> [InstalledModel] {
        let files = FolderWalk(calls: calls).modelFiles(below: path) { status(of: $0, calls) }
        let candidates = LocalModelFiles(files: files, headers: headers)
        let models = candidates.models()
        let projectors = candidates.projectors()
        let stems = Dictionary(grouping: models) { ModelFileName.stem($0.primary.relativePath) }
        return models.map { model in
            var model = model
            let chosen = ProjectorRule.projector(
                for: model.primary.relativePath, among: projectors.lazy.map(\.relativePath))
            model.projector = projectors.first { $0.relativePath == chosen }
            let stem = ModelFileName.stem(model.primary.relativePath)
            return installed(model, name: (stems[stem]?.count ?? 0) > 1 ? Self.longName(model) : stem, calls)
        }
    }

    /// The name with its folder, for a file name that stands in several.
    private static func longName(_ model: LocalModel) -> String {
        let path = model.primary.relativePath
        let folder = path.lastIndex(of: "/").map { path[...$0] } ?? ""
        return folder + ModelFileName.stem(path)
    }

    /// The status of a file whose links end in the cache.
    private func status(of path: String, _ calls: any FileCalls) -> FileStatus? {
        guard let resolved = target(of: path, calls) else {
            LLMDiagnostics.record(
                .warning, category: "library",
                "A file of \(repo) was skipped: its link leads nowhere or out of the cache.")
            return nil
        }
        return try? calls.status(of: resolved, followingLinks: false)
    }

    private func target(of path: String, _ calls: any FileCalls) -> String? {
        guard let resolved = try? calls.resolvedPath(of: path) else { return nil }
        return resolved.utf8.starts(with: "\(cacheRoot)/".utf8) ? resolved : nil
    }

    /// The name of the blob when it is a digest; a regular file in the snapshot has none.
    private func blobName(of path: String, _ calls: any FileCalls) -> String? {
        guard let resolved = target(of: path, calls), let slash = resolved.lastIndex(of: "/") else { return nil }
        let name = resolved[resolved.index(after: slash)...]
        let isDigest = [40, 64].contains(name.utf8.count) && name.utf8.allSatisfy(HuggingFaceRepository.isHexDigit)
        return isDigest ? String(name) : nil
    }

    private func installed(_ model: LocalModel, name: String, _ calls: any FileCalls) -> InstalledModel {
        var artifacts = model.artifacts
        for (index, artifact) in artifacts.enumerated() {
            artifacts[index].sha256 = blobName(of: path + "/" + artifact.relativePath, calls).flatMap(
                SHA256Text.normalized)
        }
        let file = model.primary.relativePath
        let identity = blobName(of: model.primary.path, calls) ?? commit
        return ExternalModel(
            identity: "hf-cache|\(repo)|\(file)|\(identity)", displayName: name, directory: path,
            origin: .customHF, repo: repo, fileInRepo: file,
            quantization: InstalledModel.inferQuantization(from: file), artifacts: artifacts
        ).installed(model)
    }
}
