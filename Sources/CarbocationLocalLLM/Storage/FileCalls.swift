package import GGUFFormat

/// The system calls that the model library makes, one requirement each.
///
/// All of them block. What is made of several calls stands in extensions, so that a test can let any single call fail
/// or end the process there.
package protocol FileCalls: Sendable {
    /// The names in a folder, without `.` and `..`, in no order.
    func entries(of directory: String) throws(FileFailure) -> [DirectoryEntry]

    func status(of path: String, followingLinks: Bool) throws(FileFailure) -> FileStatus

    /// The path without links, of something that exists.
    func resolvedPath(of path: String) throws(FileFailure) -> String

    /// Opens a model file for reading its header.
    func model(at path: String) throws(GGUFReaderError) -> any ByteSource

    func open(_ path: String, for purpose: FileOpening) throws(FileFailure) -> Int32
    func status(of descriptor: Int32, at path: String) throws(FileFailure) -> FileStatus

    /// Reads on from the descriptor's position; 0 at the end.
    func read(
        _ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer, at path: String
    ) throws(FileFailure) -> Int

    /// Writes at least one byte and returns how many.
    func write(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer, at path: String) throws(FileFailure) -> Int

    /// Waits until what was written is on the disk.
    func synchronize(_ descriptor: Int32, at path: String) throws(FileFailure)

    func close(_ descriptor: Int32)

    func createDirectory(_ path: String) throws(FileFailure)
    func rename(_ path: String, to destination: String) throws(FileFailure)
    func removeFile(_ path: String) throws(FileFailure)
    func removeDirectory(_ path: String) throws(FileFailure)
}

/// What a file is opened for.
package enum FileOpening: Sendable, Hashable {
    /// Reading through links.
    case reading
    /// Reading, refusing a link.
    case readingNoLink
    /// Writing a file that must not exist yet, not even as a link.
    case creating
    /// The same, with these permissions at most: what it holds is nobody else's business.
    case creatingPrivately(permissions: UInt16)
    /// Synchronising a folder.
    case directory
}
