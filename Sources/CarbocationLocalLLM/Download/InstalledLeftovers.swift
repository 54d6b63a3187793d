import Foundation

/// Removes complete files of models that are installed already, which a process left that ended at just that moment.
struct InstalledLeftovers: Sendable {
    let root: URL
    let fileSystem: any DownloadFileSystem

    /// Removes a complete file that is, under another name, part of an installed model.
    ///
    /// - Parameter partial: An entry of the list of unfinished downloads.
    /// - Returns: Whether it was removed.
    func removeIfInstalled(_ partial: PartialDownload) -> Bool {
        guard partial.isComplete, let path = partial.artifactPath, RepositoryPath(path) != nil,
            let key = PartialFiles.key(inName: partial.sidecarURL.lastPathComponent)
        else { return false }
        let store = PartialStore(
            files: PartialFiles(folder: PartialFiles.folder(in: root), key: key), fileSystem: fileSystem)
        guard let file = try? fileSystem.identity(of: store.files.finished), isInstalled(file, as: path),
            let locks = locks(for: store)
        else { return false }
        defer { for lock in locks { lock.release() } }
        return (try? store.discard()) != nil
    }

    private func isInstalled(_ file: FileIdentity, as path: String) -> Bool {
        let folders = ((try? fileSystem.names(in: root)) ?? []).filter { UUID(uuidString: $0) != nil }
        return folders.map { root.appendingPathComponent($0, isDirectory: true) }.contains { folder in
            (try? fileSystem.identity(of: folder.appendingPathComponent(path, isDirectory: false))) == file
                && isListed(path, in: folder)
        }
    }

    /// Whether the model in a folder is described with a file, or not described at all.
    ///
    /// A process may have ended after it had put a projector beside its model, and before it was described.
    private func isListed(_ path: String, in folder: URL) -> Bool {
        let metadata = folder.appendingPathComponent(LibraryLayout.metadataName, isDirectory: false)
        let contents = try? fileSystem.contents(of: metadata, limit: MetadataFile.maximumBytes)
        guard let model = contents.flatMap({ MetadataFile.model(Array($0)) }) else { return true }
        return model.artifacts.contains { $0.relativePath == path }
    }

    /// The locks of the file and of its model; nil while somebody else has one of them.
    private func locks(for store: PartialStore) -> [any FileLock]? {
        guard let sidecar = try? store.sidecar() else { return nil }
        let primary = sidecar.resolution.map { PartialFiles(root: root, source: $0.primaryArtifact.url) }
        var held: [any FileLock] = []
        for url in Set([store.files.lock, (primary ?? store.files).lock]) {
            switch try? fileSystem.tryLock(url) {
            case .acquired(let lock): held.append(lock)
            case .unsupported: continue
            case .busy, nil:
                for lock in held { lock.release() }
                return nil
            }
        }
        return held
    }
}
