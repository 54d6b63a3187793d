import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The files of this machine.
struct LocalFileSystem: DownloadFileSystem {
    func createFolder(_ folder: URL) throws {
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        } catch {
            throw FileSystemFailure(operation: "create", name: folder.lastPathComponent, code: Self.code(of: error))
        }
    }

    func openFile(_ url: URL) throws -> any DownloadFile {
        let descriptor = try Self.open(url, O_RDWR | O_CREAT)
        return LocalFile(descriptor: descriptor, name: url.lastPathComponent)
    }

    func size(of url: URL) throws -> Int64? {
        try status(of: url).map { Int64($0.st_size) }
    }

    func identity(of url: URL) throws -> FileIdentity? {
        try status(of: url).map {
            FileIdentity(
                device: UInt64(truncatingIfNeeded: $0.st_dev), number: UInt64(truncatingIfNeeded: $0.st_ino))
        }
    }

    func contents(of url: URL, limit: Int) throws -> Data? {
        guard let size = try size(of: url), size <= limit else { return nil }
        let file = LocalFile(descriptor: try Self.open(url, O_RDONLY), name: url.lastPathComponent)
        var data = Data(count: Int(size))
        let count = try data.withUnsafeMutableBytes { try file.read(into: $0, at: 0) }
        return data.prefix(count)
    }

    func write(_ data: Data, to url: URL) throws {
        let descriptor = try Self.open(url, O_RDWR | O_CREAT | O_TRUNC)
        let file = LocalFile(descriptor: descriptor, name: url.lastPathComponent)
        try data.withUnsafeBytes { try file.write($0, at: 0) }
        try file.flush()
    }

    func move(_ url: URL, to destination: URL) throws {
        guard rename(url.path, destination.path) == 0 else { throw FileSystemFailure("rename", url) }
    }

    func link(_ url: URL, to destination: URL) throws {
        #if canImport(Glibc)
            let status = Glibc.link(url.path, destination.path)
        #elseif canImport(Musl)
            let status = Musl.link(url.path, destination.path)
        #else
            let status = Darwin.link(url.path, destination.path)
        #endif
        guard status == 0 else { throw FileSystemFailure("link", url) }
    }

    func remove(_ url: URL) throws {
        guard unlink(url.path) == 0 || errno == ENOENT || errno == ENOTDIR else {
            throw FileSystemFailure("remove", url)
        }
    }

    func syncFolder(_ folder: URL) throws {
        let file = LocalFile(descriptor: try Self.open(folder, O_RDONLY), name: folder.lastPathComponent)
        do {
            try file.flush()
        } catch let failure as FileSystemFailure where [EINVAL, ENOTSUP, EOPNOTSUPP].contains(failure.code) {
            // Some volumes cannot do this, and nothing else would help there.
        }
    }

    func names(in folder: URL) throws -> [String] {
        do {
            return try FileManager.default.contentsOfDirectory(atPath: folder.path)
        } catch {
            let code = Self.code(of: error)
            if code == ENOENT || code == ENOTDIR { return [] }
            throw FileSystemFailure(operation: "list", name: folder.lastPathComponent, code: code)
        }
    }

    func availableBytes(at folder: URL) -> Int64? {
        #if canImport(Darwin)
            // Counts what the system would free for something that the user asked for.
            let values = try? folder.resourceValues(forKeys: [.volumeAvailableCapacityForImportantUsageKey])
            if let capacity = values?.volumeAvailableCapacityForImportantUsage, capacity > 0 { return capacity }
        #endif
        var status = statvfs()
        guard statvfs(folder.path, &status) == 0 else { return nil }
        let (bytes, overflow) = UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize))
        return overflow ? .max : Int64(clamping: bytes)
    }

    func tryLock(_ url: URL) throws -> FileLockAttempt {
        try LocalFileLock.attempt(url)
    }

    /// What the system knows about a regular file.
    private func status(of url: URL) throws -> stat? {
        var status = stat()
        guard lstat(url.path, &status) == 0 else {
            if errno == ENOENT || errno == ENOTDIR { return nil }
            throw FileSystemFailure("look at", url)
        }
        return status.st_mode & S_IFMT == S_IFREG ? status : nil
    }

    static func open(_ url: URL, _ flags: Int32) throws -> Int32 {
        #if canImport(Glibc)
            let descriptor = Glibc.open(url.path, flags | O_CLOEXEC | O_NOFOLLOW, 0o644)
        #elseif canImport(Musl)
            let descriptor = Musl.open(url.path, flags | O_CLOEXEC | O_NOFOLLOW, 0o644)
        #else
            let descriptor = Darwin.open(url.path, flags | O_CLOEXEC | O_NOFOLLOW, 0o644)
        #endif
        guard descriptor >= 0 else { throw FileSystemFailure("open", url) }
        return descriptor
    }

    private static func code(of error: any Error) -> Int32 {
        let error = error as NSError
        if let underlying = error.userInfo[NSUnderlyingErrorKey] as? NSError, underlying.domain == NSPOSIXErrorDomain {
            return Int32(truncatingIfNeeded: underlying.code)
        }
        return error.code == CocoaError.fileReadNoSuchFile.rawValue ? ENOENT : EIO
    }
}

extension FileSystemFailure {
    /// The failure of the call that was made last on this thread.
    init(_ operation: String, _ url: URL) {
        self.init(operation: operation, name: url.lastPathComponent, code: errno)
    }
}
