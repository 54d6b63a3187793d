package import Foundation

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The bytes of a regular file, read with `pread`.
///
/// The file is not mapped: a mapped file that another program shortens kills the process with SIGBUS, while a short
/// read is an ordinary error.
package final class FileByteSource: ByteSource {
    private let descriptor: Int32
    package let size: UInt64

    package init(url: URL) throws(GGUFReaderError) {
        guard url.isFileURL else { throw .unreadable("the address is not that of a local file.") }
        // Without O_NONBLOCK, opening a named pipe would wait for its other end.
        let opened = url.withUnsafeFileSystemRepresentation { path in
            path.map { open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK) } ?? -1
        }
        guard opened >= 0 else { throw .unreadable(Self.systemReason()) }
        var status = stat()
        guard fstat(opened, &status) == 0 else {
            let reason = Self.systemReason()
            close(opened)
            throw .unreadable(reason)
        }
        guard status.st_mode & S_IFMT == S_IFREG, let size = UInt64(exactly: status.st_size) else {
            close(opened)
            throw .unreadable("it is not a regular file.")
        }
        descriptor = opened
        self.size = size
    }

    deinit { close(descriptor) }

    package func read(
        into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64
    ) throws(GGUFReaderError) -> Int {
        guard let start = off_t(exactly: offset) else { return 0 }
        while true {
            let count = pread(descriptor, buffer.baseAddress, buffer.count, start)
            if count >= 0 { return count }
            if errno != EINTR { throw .unreadable(Self.systemReason()) }
        }
    }

    private static func systemReason() -> String { "\(String(cString: strerror(errno)))." }
}
