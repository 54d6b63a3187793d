import Foundation

/// The models of LM Studio, which are only read.
struct LMStudioStore {
    let root: String
    let calls: any FileCalls
    let headers: HeaderTable

    /// The models of all publishers, sorted by publisher, repository and path.
    func models() -> [InstalledModel] {
        folders(in: root).flatMap { publisher in
            folders(in: root + "/" + publisher).flatMap { models(of: publisher + "/" + $0) }
        }
    }

    /// The folders in a folder, and links to folders.
    private func folders(in path: String) -> [String] {
        ((try? calls.entries(of: path)) ?? []).map(\.name).sorted().filter {
            !$0.hasPrefix(".") && (try? calls.status(of: path + "/" + $0, followingLinks: true))?.kind == .directory
        }
    }

    private func models(of repo: String) -> [InstalledModel] {
        let folder = root + "/" + repo
        let files = FolderWalk(calls: calls).modelFiles(below: folder) {
            try? calls.status(of: $0, followingLinks: true)
        }
        let candidates = LocalModelFiles(files: files, headers: headers)
        let models = candidates.models()
        let match = ProjectorMatch(projectors: candidates.projectors(), models: models)
        return models.map { model in
            var model = model
            model.projector = match.projector(for: model)
            return installed(model, repo: repo, folder: folder)
        }
    }

    private func installed(_ model: LocalModel, repo: String, folder: String) -> InstalledModel {
        let file = model.primary.relativePath
        return ExternalModel(
            identity: "lm-studio|\(repo)/\(file)|\(model.primary.status.size)", displayName: ModelFileName.stem(file),
            directory: folder, repo: repo, fileInRepo: file,
            quantization: InstalledModel.inferQuantization(from: file), artifacts: model.artifacts
        ).installed(model)
    }
}
