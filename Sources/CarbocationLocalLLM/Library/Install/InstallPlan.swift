import Foundation
import GGUFFormat

/// An install request whose files and places were checked.
struct InstallPlan {
    struct Item {
        var artifact: ModelLibraryInstallArtifact
        /// Where the contents are, links resolved.
        var source: String
        /// Whether the file itself goes into the library; a file behind a link stays where it is.
        var isMoved: Bool
        var size: Int64
    }

    let request: InstallRequest
    /// The weights come first.
    let items: [Item]
    let header: ModelHeader

    init(_ request: InstallRequest, calls: any FileCalls) throws {
        self.request = request
        guard let primary = request.artifacts.first(where: { $0.role == .primaryModel }) else {
            throw ModelLibraryError.missingPrimaryArtifact
        }
        try Self.checkPlaces(request.artifacts)
        guard ModelFileName.isGGUF(primary.relativePath) else {
            throw ModelLibraryError.notAGGUF(primary.relativePath)
        }
        let ordered = [primary] + request.artifacts.filter { $0 != primary }
        items = try ordered.map { try Item($0, calls: calls) }
        try Self.checkParts(ordered)
        guard let header = ModelHeader(at: items[0].source, calls: calls), header.isGGUF else {
            throw ModelLibraryError.notAGGUF(primary.relativePath)
        }
        self.header = header
        try checkSplit(primary.relativePath)
    }

    /// Places must be safe, and different even where upper and lower case are the same.
    private static func checkPlaces(_ artifacts: [ModelLibraryInstallArtifact]) throws {
        var taken: Set<String> = [LibraryLayout.metadataName]
        for artifact in artifacts {
            let path = artifact.relativePath
            guard RepositoryPath(path) != nil, taken.insert(path.lowercased()).inserted else {
                throw ModelLibraryError.unsafeArtifactPath(path)
            }
        }
    }

    /// All parts of a split model must be installed with it.
    private static func checkParts(_ artifacts: [ModelLibraryInstallArtifact]) throws {
        guard let split = GGUFSplitName(artifacts[0].relativePath) else { return }
        let places = Set(artifacts.map(\.relativePath))
        for number in 1...split.count where !places.contains(split.part(number)) {
            let folder = artifacts[0].sourceURL.deletingLastPathComponent()
            let name = split.part(number).split(separator: "/").last.map(String.init) ?? ""
            throw ModelLibraryError.sourceFileMissing(folder.appendingPathComponent(name, isDirectory: false))
        }
    }

    /// What the header says about parts must agree with the name.
    private func checkSplit(_ path: String) throws {
        guard let stated = header.splitCount else { return }
        let split = GGUFSplitName(path)
        if split == nil, stated > 1 {
            throw GGUFReaderError.malformed(
                "it is one of \(stated) parts of a model, but its name does not say which.")
        }
        if let split, stated != split.count {
            throw GGUFReaderError.malformed("it states \(stated) parts, its name \(split.count).")
        }
    }

    /// The model as it will be described.
    func model(id: UUID, contextLength: Int, now: Date) -> InstalledModel {
        let artifacts = items.map(\.installed)
        let filename = artifacts[0].relativePath
        return InstalledModel(
            id: id, displayName: request.displayName, filename: filename,
            sizeBytes: artifacts.reduce(0) { $0.addingSaturated($1.sizeBytes) }, contextLength: contextLength,
            quantization: request.quantization ?? header.quantization
                ?? InstalledModel.inferQuantization(from: request.hfFilename ?? filename),
            source: request.source, hfRepo: request.hfRepo, hfFilename: request.hfFilename,
            sha256: artifacts[0].sha256, artifacts: artifacts, installedAt: ISO8601Time.wholeSeconds(now))
    }
}

extension InstallPlan.Item {
    /// Looks at the file.
    ///
    /// - Throws: ``ModelLibraryError/sourceFileMissing(_:)`` when there is none.
    init(_ artifact: ModelLibraryInstallArtifact, calls: any FileCalls) throws(ModelLibraryError) {
        let path = artifact.sourceURL.standardizedFileURL.path
        guard artifact.sourceURL.isFileURL, let status = try? calls.status(of: path, followingLinks: false),
            let source = status.kind == .link ? try? calls.resolvedPath(of: path) : path,
            let target = try? calls.status(of: source, followingLinks: false), target.kind == .regular
        else { throw ModelLibraryError.sourceFileMissing(artifact.sourceURL) }
        self.init(
            artifact: artifact, source: source, isMoved: !artifact.copySource && status.kind == .regular,
            size: target.size)
    }

    /// The file as the model's description lists it.
    var installed: InstalledModelArtifact {
        InstalledModelArtifact(
            role: artifact.role, relativePath: artifact.relativePath,
            sizeBytes: artifact.sizeBytes > 0 ? artifact.sizeBytes : size, sha256: artifact.sha256)
    }
}
