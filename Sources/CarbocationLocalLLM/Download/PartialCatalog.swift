import Foundation

/// Lists and deletes unfinished downloads.
struct PartialCatalog: Sendable {
    let fileSystem: any DownloadFileSystem

    /// The unfinished downloads below a models root, sorted by name.
    ///
    /// What nobody can use any more is removed.
    func list(in root: URL) -> [PartialDownload] {
        let folder = PartialFiles.folder(in: root)
        let names = Set((try? fileSystem.names(in: folder)) ?? [])
        sweep(folder, names)
        let installed = InstalledLeftovers(root: root, fileSystem: fileSystem)
        return names.compactMap { name in
            Self.stem(ofSidecar: name).flatMap { entry(PartialEntryFiles(folder: folder, stem: $0)) }
        }.filter {
            !installed.removeIfInstalled($0)
        }.sorted { ($0.displayName.lowercased(), $0.id) < ($1.displayName.lowercased(), $1.id) }
    }

    /// Removes what a process that ended suddenly has left without a sidecar.
    ///
    /// Finished files belong to somebody.
    private func sweep(_ folder: URL, _ names: Set<String>) {
        for key in Set(names.compactMap(PartialFiles.key(inName:))) {
            let files = PartialFiles(folder: folder, key: key)
            let strays = [files.data, files.handover, files.sidecarDraft]
            guard !names.contains(files.sidecar.lastPathComponent),
                (strays + [files.lock]).contains(where: { names.contains($0.lastPathComponent) }),
                let lock = try? exclusive(files.lock)
            else { continue }
            defer { lock.release() }
            guard (try? fileSystem.size(of: files.sidecar) == nil) == true else { continue }
            for url in strays { try? fileSystem.remove(url) }
        }
    }

    /// Deletes an unfinished download.
    ///
    /// - Throws: ``ModelDownloaderError/fileSystem(_:)``, also when it is going on.
    func delete(_ partial: PartialDownload) throws {
        do {
            let folder = partial.sidecarURL.deletingLastPathComponent()
            let stem = partial.sidecarURL.deletingPathExtension().lastPathComponent
            let files = PartialEntryFiles(folder: folder, stem: stem)
            guard try !fileSystem.names(in: folder).isEmpty else { return }
            guard let lock = try exclusive(files.lock) else {
                throw ModelDownloaderError.fileSystem("“\(partial.displayName)” is being downloaded")
            }
            defer { lock.release() }
            for url in [partial.partialURL, partial.sidecarURL] + files.all { try fileSystem.remove(url) }
        } catch let failure as FileSystemFailure {
            throw ModelDownloaderError.fileSystem(failure.reason)
        }
    }

    // MARK: Entries

    private static func stem(ofSidecar name: String) -> String? {
        name.hasPrefix("cllm-partial-") && name.hasSuffix(".json") ? String(name.dropLast(5)) : nil
    }

    private func entry(_ files: PartialEntryFiles) -> PartialDownload? {
        guard let contents = try? fileSystem.contents(of: files.sidecar, limit: DownloadSidecar.maximumBytes),
            let sidecar = try? JSONDecoder().decode(DownloadSidecar.self, from: contents)
        else { return nil }
        guard let (data, size) = data(of: files, isComplete: sidecar.complete) else {
            removeUnused(files)
            return nil
        }
        guard sidecar.totalBytes > 0 else { return nil }
        return PartialDownload(
            id: files.id, partialURL: data, sidecarURL: files.sidecar, sourceURL: sidecar.url,
            displayName: sidecar.shownName, reference: sidecar.pinnedReference, artifactPath: sidecar.path,
            totalBytes: sidecar.totalBytes, bytesOnDisk: sidecar.bytesOnDisk(dataSize: size),
            isComplete: sidecar.complete)
    }

    private func data(of files: PartialEntryFiles, isComplete: Bool) -> (URL, Int64)? {
        for url in isComplete ? [files.finished, files.data] : [files.data] {
            if let size = (try? fileSystem.size(of: url)) ?? nil { return (url, size) }
        }
        return nil
    }

    /// A sidecar whose data has been taken away; but a transfer that has just begun is left alone.
    private func removeUnused(_ files: PartialEntryFiles) {
        guard let lock = try? exclusive(files.lock) else { return }
        defer { lock.release() }
        guard data(of: files, isComplete: true) == nil else { return }
        for url in [files.sidecar, files.draft] { try? fileSystem.remove(url) }
    }

    private func exclusive(_ url: URL) throws -> (any FileLock)? {
        switch try fileSystem.tryLock(url) {
        case .acquired(let lock): lock
        case .busy: nil
        case .unsupported: AbsentLock()
        }
    }
}

/// The files of one entry, by the name of its sidecar.
private struct PartialEntryFiles {
    let folder: URL
    /// The sidecar's name without its extension.
    let stem: String

    /// What is special about the name.
    var id: String { stem.hasPrefix("cllm-partial-") ? String(stem.dropFirst("cllm-partial-".count)) : stem }

    var data: URL { file("\(stem).gguf") }
    var sidecar: URL { file("\(stem).json") }
    var draft: URL { file("\(stem).json.new") }
    var lock: URL { file("\(stem).lock") }
    var finished: URL { PartialFiles(folder: folder, key: id).finished }
    var all: [URL] { [data, finished, PartialFiles(folder: folder, key: id).handover, sidecar, draft] }

    private func file(_ name: String) -> URL { folder.appendingPathComponent(name, isDirectory: false) }
}

/// Stands in where the volume has no locks.
private final class AbsentLock: FileLock {
    func release() {}
}

extension DownloadSidecar {
    /// A name to show, whatever is known.
    fileprivate var shownName: String {
        if !displayName.trimmingCharacters(in: .whitespaces).isEmpty { return displayName }
        if let path, !path.isEmpty { return ModelFileName.stem(path) }
        return url.lastPathComponent
    }

    /// The model at the commit that was recorded.
    fileprivate var pinnedReference: HuggingFaceModelReference? {
        var reference = resolution?.reference
        if reference == nil, let repo {
            reference = HuggingFaceModelReference(repo: repo, file: path, endpoint: endpoint)
        }
        reference?.revision = commit ?? revision ?? "main"
        return reference
    }
}
