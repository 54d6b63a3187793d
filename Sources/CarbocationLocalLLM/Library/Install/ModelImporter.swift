import Foundation
import GGUFFormat

/// Turns files that a user chose into an install request.
struct ModelImporter {
    let calls: any FileCalls

    /// The request to copy the model that the files hold.
    func request(for urls: [URL], displayName: String?) throws -> InstallRequest {
        let headers = HeaderTable(calls: calls, known: [:])
        let files = try urls.map(file)
        let models = files.filter { ModelFileName.isGGUF($0.relativePath) }
        guard !models.isEmpty else {
            throw files.first.map { ModelLibraryError.notAGGUF($0.relativePath) } ?? .missingPrimaryArtifact
        }
        guard let chosen = models.first(where: { !isCompanion($0, headers) }) else {
            throw ModelLibraryError.missingPrimaryArtifact
        }
        let parts = try parts(of: chosen, among: files)
        guard let header = headers.header(at: parts[0].path, parts[0].status), header.isGGUF else {
            throw ModelLibraryError.notAGGUF(parts[0].relativePath)
        }
        let model = LocalModel(primary: parts[0], parts: Array(parts.dropFirst()), header: header)
        let projector = chosenProjector(for: model, among: models, headers) ?? siblingProjector(of: model, headers)
        return InstallRequest(
            artifacts: artifacts(of: model, projector: projector),
            displayName: displayName ?? ModelFileName.stem(model.primary.relativePath), source: .imported)
    }

    private func file(_ url: URL) throws -> FoundFile {
        let path = url.standardizedFileURL.path
        guard url.isFileURL, let status = try? calls.status(of: path, followingLinks: true) else {
            throw ModelLibraryError.sourceFileMissing(url)
        }
        guard status.kind == .regular else { throw ModelLibraryError.notAGGUF(url.lastPathComponent) }
        return FoundFile(relativePath: url.lastPathComponent, path: path, status: status)
    }

    /// A later part has a header that says nothing about the model, so its name decides.
    private func isCompanion(_ file: FoundFile, _ headers: HeaderTable) -> Bool {
        let isLaterPart = (GGUFSplitName(file.relativePath)?.number ?? 1) > 1
        let header = isLaterPart ? nil : headers.header(at: file.path, file.status)
        return CompanionRule.isCompanion(file.relativePath, header)
    }

    /// All parts of the model, the first one first: those that were chosen, and their siblings.
    private func parts(of chosen: FoundFile, among files: [FoundFile]) throws -> [FoundFile] {
        guard !GGUFSplitName.isImpossible(chosen.relativePath) else {
            throw ModelLibraryError.notAGGUF(chosen.relativePath)
        }
        guard let split = GGUFSplitName(chosen.relativePath) else { return [chosen] }
        let folder = URL(fileURLWithPath: chosen.path, isDirectory: false).deletingLastPathComponent()
        return try (1...split.count).map { number in
            let name = split.part(number)
            if let given = files.first(where: { $0.relativePath == name }) { return given }
            return try file(folder.appendingPathComponent(name, isDirectory: false))
        }
    }

    private func artifacts(of model: LocalModel, projector: FoundFile?) -> [ModelLibraryInstallArtifact] {
        func artifact(_ file: FoundFile, _ role: InstalledModelArtifactRole) -> ModelLibraryInstallArtifact {
            ModelLibraryInstallArtifact(
                sourceURL: URL(fileURLWithPath: file.path, isDirectory: false), role: role,
                relativePath: file.relativePath, copySource: true)
        }
        return [artifact(model.primary, .primaryModel)] + model.parts.map { artifact($0, .splitModel) }
            + (projector.map { [artifact($0, .mmproj)] } ?? [])
    }
}

// MARK: - Projectors

extension ModelImporter {
    /// A projector that the user chose together with the model is the right one, whatever its name.
    private func chosenProjector(
        for model: LocalModel, among files: [FoundFile], _ headers: HeaderTable
    ) -> FoundFile? {
        let projectors = files.filter {
            CompanionRule.isProjector($0.relativePath, headers.header(at: $0.path, $0.status))
                && $0.path != model.primary.path
        }
        let best = ProjectorRule.projector(
            for: model.primary.relativePath, among: projectors.lazy.map(\.relativePath))
        return projectors.first { $0.relativePath == best } ?? projectors.first
    }

    private func siblingProjector(of model: LocalModel, _ headers: HeaderTable) -> FoundFile? {
        let folder = model.primary.path.dropLast(model.primary.relativePath.count)
        let names = ((try? calls.entries(of: String(folder))) ?? []).map(\.name).filter(ModelFileName.isGGUF)
        guard names.contains(where: ProjectorRule.isProjector) else { return nil }
        let files = names.sorted().compactMap { name -> FoundFile? in
            guard let status = try? calls.status(of: folder + name, followingLinks: true), status.kind == .regular
            else { return nil }
            return FoundFile(relativePath: name, path: folder + name, status: status)
        }
        let candidates = LocalModelFiles(files: files, headers: headers)
        let projectors = files.filter { ProjectorRule.isProjector($0.relativePath) }
        return ProjectorMatch(projectors: projectors, models: candidates.models()).projector(for: model)
    }
}
