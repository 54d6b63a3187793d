import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Sole owner of one descriptor; the file is closed when the last reference goes.
final class LocalFile: DownloadFile {
    private let descriptor: Int32
    private let name: String

    /// File systems let one writer at a time into a file.
    ///
    /// Waiting for that here costs less than in the kernel, where the others spin.
    private let writeTurn = NSLock()

    init(descriptor: Int32, name: String) {
        self.descriptor = descriptor
        self.name = name
    }

    deinit { close(descriptor) }

    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws {
        writeTurn.lock()
        defer { writeTurn.unlock() }
        var rest = bytes[...]
        while !rest.isEmpty {
            let position = off_t(offset + Int64(rest.startIndex))
            let count = pwrite(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count, position)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw failure("write", code: count == 0 ? ENOSPC : errno) }
            rest = rest.dropFirst(count)
        }
    }

    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws -> Int {
        var filled = 0
        while filled < buffer.count {
            let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
            let count = pread(descriptor, rest.baseAddress, rest.count, off_t(offset + Int64(filled)))
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw failure("read", code: errno) }
            if count == 0 { break }
            filled += count
        }
        return filled
    }

    func truncate(to size: Int64) throws {
        while ftruncate(descriptor, off_t(size)) != 0 {
            guard errno == EINTR else { throw failure("resize", code: errno) }
        }
    }

    func flush() throws {
        #if canImport(Darwin)
            // Plain fsync leaves the bytes in the drive's own cache there.
            if fcntl(descriptor, F_FULLFSYNC) == 0 { return }
        #endif
        while fsync(descriptor) != 0 {
            guard errno == EINTR else { throw failure("flush", code: errno) }
        }
    }

    private func failure(_ operation: String, code: Int32) -> FileSystemFailure {
        FileSystemFailure(operation: operation, name: name, code: code)
    }
}
