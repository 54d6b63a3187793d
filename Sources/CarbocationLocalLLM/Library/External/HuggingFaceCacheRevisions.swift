import Foundation

/// The revisions of a cached repository.
struct HuggingFaceCacheRevisions {
    private static let maximumRefBytes = 1024
    private static let maximumRefs = 1000

    let folder: String
    let calls: any FileCalls

    /// The commits that have a snapshot: first that of `main`, then those of other refs by name, then the rest, the
    /// newest first.
    func commits() -> [String] {
        let snapshots = (try? calls.entries(of: folder + "/snapshots")) ?? []
        let present = Set(snapshots.map(\.name).filter(HuggingFaceRepository.isCommit))
        var commits: [String] = []
        func add(_ commit: String) {
            if present.contains(commit), !commits.contains(commit) { commits.append(commit) }
        }
        for ref in refs() { if let commit = commit(ofRef: ref) { add(commit) } }
        for commit in newestFirst(present.subtracting(commits)) { add(commit) }
        return commits
    }

    /// The paths of all refs, `main` first.
    private func refs() -> [String] {
        var refs: [String] = []
        var folders = [""]
        while let parent = folders.popLast(), refs.count < Self.maximumRefs {
            for entry in (try? calls.entries(of: folder + "/refs/" + parent)) ?? [] {
                let path = parent.isEmpty ? entry.name : parent + "/" + entry.name
                if calls.isDirectory(folder + "/refs/" + path) {
                    if path.utf8.count < 512 { folders.append(path) }
                } else {
                    refs.append(path)
                }
            }
        }
        return refs.sorted { ($0 == "main" ? 0 : 1, $0) < ($1 == "main" ? 0 : 1, $1) }
    }

    private func commit(ofRef ref: String) -> String? {
        guard let bytes = try? calls.contents(of: folder + "/refs/" + ref, limit: Self.maximumRefBytes).bytes else {
            return nil
        }
        let commit = String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        return HuggingFaceRepository.isCommit(commit) ? commit : nil
    }

    private func newestFirst(_ commits: Set<String>) -> [String] {
        let dated = commits.map { commit in
            let status = try? calls.status(of: folder + "/snapshots/" + commit, followingLinks: false)
            return (commit: commit, modified: status?.modified ?? ModificationTime())
        }
        return dated.sorted { ($1.modified, $0.commit) < ($0.modified, $1.commit) }.map(\.commit)
    }
}
