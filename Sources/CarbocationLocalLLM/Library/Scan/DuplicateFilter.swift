import Foundation

/// Leaves out external models that are there already.
enum DuplicateFilter {
    private struct RepositoryFile: Hashable {
        let repo: String
        let file: String

        init?(_ model: InstalledModel) {
            guard let repo = model.hfRepo, let file = model.hfFilename else { return nil }
            self.repo = repo.lowercased()
            self.file = file.lowercased()
        }
    }

    /// What was met so far.
    private struct Seen {
        var ids: Set<UUID> = []
        var digests: Set<String> = []
        /// With the spellings of the repository, since the same cache may hold two that differ in case.
        var files: [RepositoryFile: Set<String>] = [:]

        mutating func insert(_ model: InstalledModel, spelling: String?) {
            ids.insert(model.id)
            if let digest = model.sha256, !digest.isEmpty { digests.insert(digest.lowercased()) }
            if let file = RepositoryFile(model) { files[file, default: []].insert(spelling ?? "") }
        }

        func contains(_ model: InstalledModel, spelling: String?) -> Bool {
            if ids.contains(model.id) { return true }
            if let digest = model.sha256, digests.contains(digest.lowercased()) { return true }
            guard let file = RepositoryFile(model), let spellings = files[file] else { return false }
            return spelling.map { own in spellings.contains { $0.isEmpty || $0 == own } } ?? true
        }
    }

    /// All managed models, then the external ones that are neither the same bytes nor the same file of a repository.
    ///
    /// Repositories of one Hugging Face cache that differ only in case are different ones.
    static func distinct(managed: [InstalledModel], external: [InstalledModel]) -> [InstalledModel] {
        guard !external.isEmpty else { return managed }
        var seen = Seen()
        for model in managed { seen.insert(model, spelling: nil) }
        var distinct = managed
        for model in external {
            let spelling = HuggingFaceCacheStore.repository(ofSnapshot: model.storageLocation.directoryPath ?? "")
            guard !seen.contains(model, spelling: spelling) else { continue }
            seen.insert(model, spelling: spelling)
            distinct.append(model)
        }
        return distinct
    }
}
