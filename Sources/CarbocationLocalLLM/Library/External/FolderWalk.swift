/// Finds the GGUF files below a folder.
///
/// Links to folders are not entered, so a walk ends; it also ends after a number of entries that no model folder has.
struct FolderWalk {
    static let maximumDepth = 16
    static let maximumEntries = 50_000

    let calls: any FileCalls

    /// The files, links to files included, sorted by path; places that cannot be read are left out.
    ///
    /// `status` gives the status of the file at a path, or nil to leave it out.
    func modelFiles(below root: String, status: (String) -> FileStatus?) -> [FoundFile] {
        var files: [FoundFile] = []
        var folders = [(path: "", depth: 0)]
        var entryCount = 0
        while let folder = folders.popLast() {
            let prefix = folder.path.isEmpty ? "" : folder.path + "/"
            let entries = (try? calls.entries(of: root + "/" + folder.path)) ?? []
            entryCount += entries.count
            guard entryCount <= Self.maximumEntries else { break }
            for entry in entries {
                let relativePath = prefix + entry.name
                let path = root + "/" + relativePath
                let kind = entry.kind ?? (try? calls.status(of: path, followingLinks: false))?.kind
                if kind == .directory {
                    if folder.depth < Self.maximumDepth { folders.append((relativePath, folder.depth + 1)) }
                } else if ModelFileName.isGGUF(entry.name), RepositoryPath(relativePath) != nil,
                    let status = status(path), status.kind == .regular
                {
                    files.append(FoundFile(relativePath: relativePath, path: path, status: status))
                }
            }
        }
        return files.sorted { $0.relativePath < $1.relativePath }
    }
}
