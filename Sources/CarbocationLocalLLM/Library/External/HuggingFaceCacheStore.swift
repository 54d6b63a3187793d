import Foundation

/// The models in a hub cache of Hugging Face, which are only read.
struct HuggingFaceCacheStore {
    private static let repositoryPrefix = "models--"

    let root: String
    let calls: any FileCalls
    let headers: HeaderTable

    init(root: String, calls: any FileCalls, headers: HeaderTable) {
        self.root = (try? calls.resolvedPath(of: root)) ?? root
        self.calls = calls
        self.headers = headers
    }

    /// The models of all repositories, sorted by repository and path.
    func models() -> [InstalledModel] {
        let entries = (try? calls.entries(of: root)) ?? []
        return entries.map(\.name).sorted().flatMap { name -> [InstalledModel] in
            guard let repo = Self.repository(ofFolder: name) else { return [] }
            return models(of: repo, folder: root + "/" + name)
        }
    }

    /// `owner/name` of a folder `models--owner--name`; nil for other names.
    static func repository(ofFolder name: String) -> String? {
        guard name.hasPrefix(repositoryPrefix) else { return nil }
        let rest = name.dropFirst(repositoryPrefix.count)
        guard let separator = rest.range(of: "--") else { return nil }
        let repo = rest[..<separator.lowerBound] + "/" + rest[separator.upperBound...]
        return HuggingFaceRepository.isValid(String(repo)) ? String(repo) : nil
    }

    /// The repository that the path of a snapshot belongs to; nil for other paths.
    static func repository(ofSnapshot path: String) -> String? {
        let components = path.split(separator: "/")
        guard components.count >= 3, components[components.count - 2] == "snapshots" else { return nil }
        return repository(ofFolder: String(components[components.count - 3]))
    }

    /// The models of the first revision that has any.
    ///
    /// Revisions are never mixed.
    private func models(of repo: String, folder: String) -> [InstalledModel] {
        for commit in HuggingFaceCacheRevisions(folder: folder, calls: calls).commits() {
            let snapshot = HuggingFaceSnapshot(
                repo: repo, commit: commit, path: folder + "/snapshots/" + commit, cacheRoot: root)
            let models = snapshot.models(calls: calls, headers: headers)
            if !models.isEmpty { return models }
        }
        return []
    }
}
