import GGUFFormat

/// What earlier refreshes found, so that unchanged files need not be read again.
///
/// Everything in it is a copy of what the files say. It can be thrown away at any time.
struct LibraryIndex: Sendable {
    /// A file that was looked into.
    struct File: Sendable, Hashable {
        var stamp: FileStamp
        var header: ModelHeader
    }

    /// A folder with a model.
    ///
    /// A class, so that what has not changed is passed on as it is and recognised by being the same object.
    final class Folder: Sendable {
        /// The version of `metadata.json` that `stored` was read from.
        let metadata: MetadataStamp
        /// The model as it was read; its paths are safe.
        let stored: InstalledModel
        /// What was found out about the weights.
        let weights: File
        /// The model as it is listed: `stored` with what the header adds.
        let listed: InstalledModel
        /// The weights' name when they are a single file directly in the folder and all there is to check.
        let onlyFile: String?

        init(metadata: MetadataStamp, stored: InstalledModel, weights: File, listed: InstalledModel) {
            self.metadata = metadata
            self.stored = stored
            self.weights = weights
            self.listed = listed
            let path = stored.primaryPath
            let isAlone =
                stored.artifacts.count == 1 && !path.utf8.contains(UInt8(ascii: "/")) && GGUFSplitName(path) == nil
            onlyFile = isAlone ? path : nil
        }
    }

    /// Tells one version of a description from another; a replaced file has another number.
    struct MetadataStamp: Sendable, Hashable {
        var file: FileStamp
        var fileNumber: UInt64

        init(_ status: FileStatus) {
            self.init(file: FileStamp(status), fileNumber: status.fileNumber)
        }

        init(file: FileStamp, fileNumber: UInt64) {
            self.file = file
            self.fileNumber = fileNumber
        }
    }

    /// The folders of the root that have canonical names, by name.
    var folders: [String: Folder] = [:]

    /// Files that belong to no entry of `folders`, by path.
    var files: [String: File] = [:]

    /// Whether nothing was found that another index does not hold already.
    func holdsTheSame(as other: LibraryIndex) -> Bool {
        folders.count == other.folders.count && files == other.files
            && folders.allSatisfy { other.folders[$0.key] === $0.value }
    }
}
