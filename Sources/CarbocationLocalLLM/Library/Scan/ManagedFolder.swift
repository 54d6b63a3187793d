import Foundation
import GGUFFormat

/// Looks at one folder of the library's root.
///
/// Makes two system calls for a folder that is as the index says.
struct ManagedFolder {
    enum Outcome: Sendable {
        case model(LibraryIndex.Folder)
        case orphan(InstalledModel)
        case damaged(DamagedInstalledModel)
        /// The folder went away meanwhile.
        case nothing
    }

    let name: FolderName
    /// What the root's listing says that it is.
    let kind: FileStatus.Kind?
    let path: String
    let calls: any FileCalls
    let headers: HeaderTable

    private typealias Reason = DamagedInstalledModel.Reason

    private struct Damage: Error {
        var reason: Reason
    }

    init(
        _ name: FolderName, kind: FileStatus.Kind?, layout: LibraryLayout, calls: any FileCalls, headers: HeaderTable
    ) {
        self.name = name
        self.kind = kind
        path = layout.root + "/" + name.text
        self.calls = calls
        self.headers = headers
    }

    var id: UUID { name.id }

    /// Whether the folder is where the id leads.
    ///
    /// On file systems that tell upper from lower case it may not be.
    private var isAtItsPlace: Bool {
        if name.isCanonical { return true }
        let place = path.dropLast(name.text.count) + id.uuidString
        guard let own = try? calls.status(of: path, followingLinks: false),
            let other = try? calls.status(of: String(place), followingLinks: false)
        else { return false }
        return (own.fileNumber, own.device) == (other.fileNumber, other.device)
    }

    func outcome(known: LibraryIndex.Folder?) -> Outcome {
        guard let kind = kind ?? (try? calls.status(of: path, followingLinks: false))?.kind else { return .nothing }
        guard kind == .directory else { return kind == .link ? damaged(.unsafePath(name.text)) : .nothing }
        guard isAtItsPlace else { return damaged(.identifierMismatch) }
        do {
            let metadataPath = path + "/" + LibraryLayout.metadataName
            if let status = try calls.statusIfPresent(of: metadataPath, followingLinks: false) {
                return try described(metadataPath, status, known)
            }
        } catch {
            return damaged(.unreadableMetadata)
        }
        guard calls.isDirectory(path) else { return .nothing }
        return OrphanFolder(folder: self).outcome()
    }

    func damaged(_ reason: DamagedInstalledModel.Reason, displayName: String? = nil) -> Outcome {
        .damaged(
            DamagedInstalledModel(
                id: id, directory: URL(fileURLWithPath: path, isDirectory: true), displayName: displayName ?? name.text,
                reason: reason))
    }
}

// MARK: - With a description

extension ManagedFolder {
    private func described(
        _ metadataPath: String, _ status: FileStatus, _ known: LibraryIndex.Folder?
    ) throws(FileFailure) -> Outcome {
        var stamp = LibraryIndex.MetadataStamp(status)
        let isKnown = known?.metadata == stamp
        if isKnown, let known, isAsBefore(known) { return .model(known) }
        var stored = isKnown ? known?.stored : nil
        if stored == nil {
            let (bytes, status) = try calls.contents(of: metadataPath, limit: MetadataFile.maximumBytes)
            stored = MetadataFile.model(bytes)
            stamp = LibraryIndex.MetadataStamp(status)
        }
        guard let stored else { return damaged(.unreadableMetadata) }
        guard stored.id == id else { return damaged(.identifierMismatch, displayName: stored.displayName) }
        do throws(Damage) {
            return .model(try check(stored, stamp, known))
        } catch {
            return damaged(error.reason, displayName: stored.displayName)
        }
    }

    /// Whether the one file of the model is the one it was.
    private func isAsBefore(_ known: LibraryIndex.Folder) -> Bool {
        guard let name = known.onlyFile,
            let status = try? calls.status(of: path + "/" + name, followingLinks: false)
        else { return false }
        return status.kind == .regular && FileStamp(status) == known.weights.stamp
    }

    private func check(
        _ stored: InstalledModel, _ stamp: LibraryIndex.MetadataStamp, _ known: LibraryIndex.Folder?
    ) throws(Damage) -> LibraryIndex.Folder {
        if let unsafe = stored.unsafePath { throw Damage(reason: .unsafePath(unsafe)) }
        let primary = stored.primaryPath
        guard let status = try file(primary) else { throw Damage(reason: .missingWeights(primary)) }
        let fileStamp = FileStamp(status)
        let isKnown = known?.weights.stamp == fileStamp && known?.stored.primaryPath == primary
        guard let header = isKnown ? known?.weights.header : ModelHeader(at: path + "/" + primary, calls: calls),
            header.isGGUF
        else { throw Damage(reason: .notAModelFile(primary)) }
        try checkParts(of: stored, header)
        let listed = try listed(stored, header, weightsSize: status.size)
        if isKnown, let known, known.metadata == stamp, known.listed == listed { return known }
        return LibraryIndex.Folder(
            metadata: stamp, stored: stored, weights: LibraryIndex.File(stamp: fileStamp, header: header),
            listed: listed)
    }

    /// The model with what the header adds, and without projectors that are gone, which text does not need.
    private func listed(
        _ stored: InstalledModel, _ header: ModelHeader, weightsSize: Int64
    ) throws(Damage) -> InstalledModel {
        var listed = stored.completed(with: header, weightsSize: weightsSize)
        for artifact in stored.artifacts where artifact.role == .mmproj {
            if try file(artifact.relativePath) == nil { listed.artifacts.removeAll { $0 == artifact } }
        }
        return listed
    }

    private func checkParts(of stored: InstalledModel, _ header: ModelHeader) throws(Damage) {
        let split = GGUFSplitName(stored.primaryPath)
        if split == nil, (header.splitCount ?? 1) > 1 { throw Damage(reason: .incompleteSplit(missing: [])) }
        guard split != nil || stored.artifacts.count > 1 else { return }
        var missing: [String] = []
        if let split {
            missing = try missingParts(of: split, primary: stored.primaryPath)
        }
        for artifact in stored.artifacts where artifact.role == .splitModel {
            let path = artifact.relativePath
            if try file(path) == nil, !missing.contains(path) { missing.append(path) }
        }
        if !missing.isEmpty { throw Damage(reason: .incompleteSplit(missing: missing)) }
    }

    /// A name can announce 99,999 parts, so the folder is listed once instead of asking for each.
    private func missingParts(of split: GGUFSplitName, primary: String) throws(Damage) -> [String] {
        let parent = primary.lastIndex(of: "/").map { path + "/" + primary[..<$0] } ?? path
        let prefixLength = primary.lastIndex(of: "/").map { primary[...$0].count } ?? 0
        let present = Set(((try? calls.entries(of: parent)) ?? []).map(\.name))
        var missing: [String] = []
        for number in 1...split.count where missing.count < Self.maximumNamedParts {
            let part = split.part(number)
            let isNamed = present.contains(String(part.dropFirst(prefixLength)))
            let status = isNamed ? try file(part) : nil
            if status == nil { missing.append(part) }
        }
        return missing
    }

    private static let maximumNamedParts = 100

    /// The regular file at a safe relative path; nil when there is none.
    ///
    /// A link on the way must end inside the folder.
    private func file(_ relativePath: String) throws(Damage) -> FileStatus? {
        let path = self.path + "/" + relativePath
        guard let status = try? calls.status(of: path, followingLinks: false) else { return nil }
        if status.kind == .regular, !relativePath.utf8.contains(UInt8(ascii: "/")) { return status }
        guard status.kind == .regular || status.kind == .link else { return nil }
        guard let resolved = try? calls.resolvedPath(of: path), let root = try? calls.resolvedPath(of: self.path) else {
            return nil
        }
        guard resolved.utf8.starts(with: "\(root)/".utf8) else { throw Damage(reason: .unsafePath(relativePath)) }
        guard let target = try? calls.status(of: resolved, followingLinks: false), target.kind == .regular else {
            return nil
        }
        return target
    }
}

// MARK: - The model itself

extension InstalledModel {
    /// The place of the weights in the model's folder.
    var primaryPath: String { artifacts.first { $0.role == .primaryModel }?.relativePath ?? filename }

    /// The first path that may lead out of the model's folder.
    var unsafePath: String? {
        if RepositoryPath(filename) == nil { return filename }
        return artifacts.first { $0.relativePath != filename && RepositoryPath($0.relativePath) == nil }?.relativePath
    }

    /// The model as it is listed.
    func completed(with header: ModelHeader, weightsSize: Int64) -> InstalledModel {
        var model = self
        model.filename = primaryPath
        model.storageLocation = InstalledModelStorageLocation()
        model.samplingDefaults = header.samplingDefaults
        model.quantization = quantization ?? header.quantization ?? Self.inferQuantization(from: model.filename)
        if contextLength <= 0 { model.contextLength = header.contextLength ?? 0 }
        if sizeBytes <= 0 { model.sizeBytes = weightsSize }
        return model
    }
}
