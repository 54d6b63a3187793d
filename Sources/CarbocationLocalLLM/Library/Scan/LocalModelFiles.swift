import GGUFFormat

/// A file that was found in a folder with models.
struct FoundFile: Sendable, Hashable {
    /// The place in the folder that is searched.
    var relativePath: String
    /// Where the file can be opened.
    var path: String
    var status: FileStatus
}

/// The files of one model.
struct LocalModel: Sendable {
    var primary: FoundFile
    /// The further parts, in order.
    var parts: [FoundFile] = []
    var header: ModelHeader
    var projector: FoundFile?

    var artifacts: [InstalledModelArtifact] {
        func artifact(_ file: FoundFile, _ role: InstalledModelArtifactRole) -> InstalledModelArtifact {
            InstalledModelArtifact(role: role, relativePath: file.relativePath, sizeBytes: max(0, file.status.size))
        }
        return [artifact(primary, .primaryModel)] + parts.map { artifact($0, .splitModel) }
            + (projector.map { [artifact($0, .mmproj)] } ?? [])
    }

    var sizeBytes: Int64 { artifacts.reduce(0) { $0.addingSaturated($1.sizeBytes) } }
}

/// Makes models out of the files of a folder.
struct LocalModelFiles {
    let files: [FoundFile]
    let headers: HeaderTable

    /// Of one set of weights: those that belong to it, by part number.
    private struct Group {
        var members: [Int: FoundFile] = [:]
        var count = 1
    }

    /// The complete models, sorted by path, without projectors.
    ///
    /// Companions, files without the GGUF mark, incomplete splits and parts under names that hide it are left out.
    func models() -> [LocalModel] {
        groups().compactMap { group in
            guard let primary = group.members[1], group.members.count == group.count,
                let header = headers.header(at: primary.path, primary.status), header.isGGUF,
                !CompanionRule.isCompanion(primary.relativePath, header),
                group.count > 1 || (header.splitCount ?? 1) <= 1
            else { return nil }
            let parts = group.count > 1 ? (2...group.count).compactMap { group.members[$0] } : []
            return LocalModel(primary: primary, parts: parts, header: header)
        }
    }

    /// The files that are projectors by name or header, in order.
    func projectors() -> [FoundFile] {
        files.filter { file in
            ModelFileName.isGGUF(file.relativePath)
                && (ProjectorRule.isProjector(file.relativePath)
                    || headers.header(at: file.path, file.status)?.architecture == "clip")
        }
    }

    private func groups() -> [Group] {
        var groups: [String: Group] = [:]
        for file in files where ModelFileName.isGGUF(file.relativePath) {
            if let part = GGUFSplitName(file.relativePath) {
                groups[part.part(1), default: Group()].members[part.number] = file
                groups[part.part(1)]?.count = part.count
            } else if !GGUFSplitName.isImpossible(file.relativePath) {
                groups[file.relativePath, default: Group()].members[1] = file
            }
        }
        return groups.sorted { $0.key < $1.key }.map(\.value)
    }
}
