/// A file of a repository with a safe path.
struct HuggingFaceTreeFile: Hashable {
    var path: RepositoryPath
    var sizeBytes: Int64
    var sha256: String?
}

/// An entry of a file list as the Hub sends it.
struct HuggingFaceTreeEntry: Decodable {
    private struct LargeFile: Decodable {
        var oid: String?
        var size: Int64?
    }

    private var type: String
    private var path: String
    private var size: Int64?
    private var lfs: LargeFile?

    /// The file, or nil for folders, unsafe paths and impossible sizes.
    var file: HuggingFaceTreeFile? {
        guard type == "file", let path = RepositoryPath(path), let size = lfs?.size ?? size, size >= 0 else {
            return nil
        }
        return HuggingFaceTreeFile(path: path, sizeBytes: size, sha256: lfs?.oid.flatMap(SHA256Text.normalized))
    }
}
