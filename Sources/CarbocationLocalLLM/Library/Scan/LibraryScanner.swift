import Dispatch
import Foundation

/// Finds all models.
///
/// Blocks; uses several threads for a large library.
struct LibraryScanner: Sendable {
    let layout: LibraryLayout
    let configuration: ModelLibrarySearchConfiguration
    let calls: any FileCalls

    struct Findings: Sendable {
        /// In no order.
        var models: [InstalledModel] = []
        var damaged: [DamagedInstalledModel] = []
        var index = LibraryIndex()
        /// The names under the root.
        var entries: [DirectoryEntry] = []
    }

    func scan(known: LibraryIndex) -> Findings {
        var findings = Findings()
        let headers = HeaderTable(calls: calls, known: known.files)
        findings.entries = (try? calls.entries(of: layout.root)) ?? []
        if configuration.includesManagedModels {
            addManaged(to: &findings, known: known, headers: headers)
        } else {
            findings.index.folders = known.folders
        }
        findings.models = DuplicateFilter.distinct(
            managed: findings.models, external: externalModels(headers))
        findings.damaged.sort { $0.directory.lastPathComponent < $1.directory.lastPathComponent }
        findings.index.files = headers.files
        return findings
    }

    private func externalModels(_ headers: HeaderTable) -> [InstalledModel] {
        let huggingFace = configuration.externalHuggingFaceHubCacheDirectories.flatMap {
            HuggingFaceCacheStore(root: $0.path, calls: calls, headers: headers).models()
        }
        let ollama = configuration.externalOllamaModelDirectories.flatMap {
            OllamaStore(root: $0.path, calls: calls, headers: headers).models()
        }
        let lmStudio = configuration.externalLMStudioModelDirectories.flatMap {
            LMStudioStore(root: $0.path, calls: calls, headers: headers).models()
        }
        return huggingFace + ollama + lmStudio
    }
}

// MARK: - The library's own folders

extension LibraryScanner {
    /// A name in the root that may be that of a model's folder.
    private struct Place {
        let name: FolderName
        let kind: FileStatus.Kind?
    }

    /// Folders that one thread looks at in a row.
    private static let batchSize = 128

    private func addManaged(to findings: inout Findings, known: LibraryIndex, headers: HeaderTable) {
        let folders = modelFolders(findings.entries, known: known)
        var described: [(name: String, folder: LibraryIndex.Folder)] = []
        findings.models.reserveCapacity(folders.count)
        described.reserveCapacity(folders.count)
        for (place, outcome) in zip(folders, outcomes(of: folders, known: known, headers: headers)) {
            switch outcome {
            case .model(let folder):
                findings.models.append(folder.listed)
                if place.name.isCanonical { described.append((place.name.text, folder)) }
            case .orphan(let model): findings.models.append(model)
            case .damaged(let damaged): findings.damaged.append(damaged)
            case .nothing: break
            }
        }
        findings.index.folders = index(described, known: known)
    }

    private func index(
        _ folders: [(name: String, folder: LibraryIndex.Folder)], known: LibraryIndex
    ) -> [String: LibraryIndex.Folder] {
        let isSame =
            folders.count == known.folders.count
            && folders.allSatisfy { known.folders[$0.name] === $0.folder }
        if isSame { return known.folders }
        return Dictionary(folders.map { ($0.name, $0.folder) }, uniquingKeysWith: { first, _ in first })
    }

    private func modelFolders(_ entries: [DirectoryEntry], known: LibraryIndex) -> [Place] {
        entries.compactMap { entry in
            let known = known.folders[entry.name].map { FolderName(canonical: entry.name, of: $0.stored.id) }
            return (known ?? FolderName(entry.name)).map { Place(name: $0, kind: entry.kind) }
        }
    }

    private func outcomes(
        of folders: [Place], known: LibraryIndex, headers: HeaderTable
    ) -> [ManagedFolder.Outcome] {
        let batchCount = (folders.count + Self.batchSize - 1) / Self.batchSize
        let batches = Locked([[ManagedFolder.Outcome]](repeating: [], count: batchCount))
        DispatchQueue.concurrentPerform(iterations: batchCount) { batch in
            let range = batch * Self.batchSize..<min((batch + 1) * Self.batchSize, folders.count)
            let outcomes = folders[range].map { folder in
                ManagedFolder(folder.name, kind: folder.kind, layout: layout, calls: calls, headers: headers)
                    .outcome(known: known.folders[folder.name.text])
            }
            batches.withLock { $0[batch] = outcomes }
        }
        return batches.withLock { $0.flatMap { $0 } }
    }
}
