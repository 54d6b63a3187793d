import Foundation

/// What downloads do with files.
///
/// Failures are `FileSystemFailure`s.
protocol DownloadFileSystem: Sendable {
    /// Makes a folder and those above it; one that exists is no error.
    func createFolder(_ folder: URL) throws

    /// Opens a file for reading and writing, and makes it if it does not exist.
    ///
    /// Links are not followed.
    func openFile(_ url: URL) throws -> any DownloadFile

    /// The size of a regular file, or nil when there is none.
    func size(of url: URL) throws -> Int64?

    /// What tells a regular file from all others, whatever its name; nil when there is none.
    func identity(of url: URL) throws -> FileIdentity?

    /// The content of a small file, or nil when there is none or it is larger than `limit`.
    func contents(of url: URL, limit: Int) throws -> Data?

    /// Writes a new file, or over an old one, and waits until it is on disk.
    func write(_ data: Data, to url: URL) throws

    /// Gives a file another name, in place of a file that had it.
    func move(_ url: URL, to destination: URL) throws

    /// Gives a file a second name; fails where the volume cannot do that.
    func link(_ url: URL, to destination: URL) throws

    /// Removes a file; that there is none is no error.
    func remove(_ url: URL) throws

    /// Waits until the names in a folder are on disk.
    func syncFolder(_ folder: URL) throws

    /// The names in a folder; none if it does not exist.
    func names(in folder: URL) throws -> [String]

    /// The bytes that may still be written on the volume of a folder, or nil when the system does not say.
    func availableBytes(at folder: URL) -> Int64?

    /// Locks a file against other processes without waiting.
    func tryLock(_ url: URL) throws -> FileLockAttempt
}

/// An open file.
///
/// Calls may come from several threads at once.
protocol DownloadFile: AnyObject, Sendable {
    /// Writes all bytes at an offset.
    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws

    /// Reads until the buffer is full or the file ends.
    ///
    /// - Returns: The number of bytes read.
    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws -> Int

    /// Cuts or extends the file; what is new reads as zeros and takes no space.
    func truncate(to size: Int64) throws

    /// Waits until all that was written before is on disk.
    func flush() throws
}

/// What became of the try to lock a file.
enum FileLockAttempt: Sendable {
    /// The lock is held until it is released.
    case acquired(any FileLock)
    /// Another process, or another part of this one, holds it.
    case busy
    /// The volume has no locks.
    case unsupported
}

/// A lock that is held.
protocol FileLock: AnyObject, Sendable {
    /// Gives the lock up and removes its file.
    ///
    /// Only the first call does anything.
    func release()
}

/// One file on one volume.
struct FileIdentity: Sendable, Hashable {
    var device: UInt64
    var number: UInt64
}

/// An operation on a file that the system refused.
struct FileSystemFailure: Error, Hashable {
    /// What was to be done, such as `write`.
    var operation: String
    /// The last component of the path.
    var name: String
    /// The system's error number.
    var code: Int32

    /// The reason as a short text.
    var reason: String { "\(operation) \(name): \(String(cString: strerror(code)))" }
}
