/// Headers of files, read once for each version of a file.
final class HeaderTable: Sendable {
    private let calls: any FileCalls
    private let known: [String: LibraryIndex.File]
    private let used = Locked<[String: LibraryIndex.File]>([:])

    /// Starts from what is known already, by path.
    init(calls: any FileCalls, known: [String: LibraryIndex.File]) {
        self.calls = calls
        self.known = known
    }

    /// The header of a file with this status; nil when the file cannot be opened.
    func header(at path: String, _ status: FileStatus) -> ModelHeader? {
        let stamp = FileStamp(status)
        if let file = known[path], file.stamp == stamp {
            used.withLock { $0[path] = file }
            return file.header
        }
        guard let header = ModelHeader(at: path, calls: calls) else { return nil }
        used.withLock { $0[path] = LibraryIndex.File(stamp: stamp, header: header) }
        return header
    }

    /// Those that were asked for, which are all that is worth keeping.
    var files: [String: LibraryIndex.File] { used.withLock { $0 } }
}
