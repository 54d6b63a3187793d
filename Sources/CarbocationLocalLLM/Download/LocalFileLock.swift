import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// An exclusive lock on an open file, which ends with the process at the latest.
final class LocalFileLock: FileLock {
    private let descriptor: Locked<Int32?>
    private let url: URL

    private init(descriptor: Int32, url: URL) {
        self.descriptor = Locked(descriptor)
        self.url = url
    }

    deinit { release() }

    static func attempt(_ url: URL) throws -> FileLockAttempt {
        let descriptor = try LocalFileSystem.open(url, O_RDWR | O_CREAT)
        let lock = LocalFileLock(descriptor: descriptor, url: url)
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            if errno == EINTR { continue }
            let code = errno
            lock.abandon()
            switch code {
            case EWOULDBLOCK: return .busy
            case ENOTSUP, EOPNOTSUPP, ENOLCK, ENOSYS, EINVAL: return .unsupported
            default: throw FileSystemFailure(operation: "lock", name: url.lastPathComponent, code: code)
            }
        }
        // Whoever held the lock removes its file; then the lock is that of a file that nobody else can open.
        guard isSameFile(descriptor, url) else {
            lock.abandon()
            return .busy
        }
        return .acquired(lock)
    }

    func release() {
        descriptor.withLock { descriptor in
            guard let open = descriptor else { return }
            unlink(url.path)
            close(open)
            descriptor = nil
        }
    }

    /// Closes the file and leaves it to whoever has the lock.
    private func abandon() {
        descriptor.withLock { descriptor in
            if let open = descriptor { close(open) }
            descriptor = nil
        }
    }

    private static func isSameFile(_ descriptor: Int32, _ url: URL) -> Bool {
        var held = stat()
        var named = stat()
        guard fstat(descriptor, &held) == 0, lstat(url.path, &named) == 0 else { return false }
        return held.st_ino == named.st_ino && held.st_dev == named.st_dev
    }
}
