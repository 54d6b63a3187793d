import Foundation
package import GGUFFormat

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The system's own calls.
package struct SystemFileCalls: FileCalls {
    package init() {}

    package func entries(of directory: String) throws(FileFailure) -> [DirectoryEntry] {
        guard let stream = opendir(directory) else { throw failure(.list, directory) }
        defer { closedir(stream) }
        var entries: [DirectoryEntry] = []
        while true {
            errno = 0
            guard let entry = readdir(stream) else { break }
            let name = Self.name(of: entry)
            if name == "." || name == ".." { continue }
            entries.append(DirectoryEntry(name: name, kind: Self.kind(ofType: entry.pointee.d_type)))
        }
        guard errno == 0 else { throw failure(.list, directory) }
        return entries
    }

    package func status(of path: String, followingLinks: Bool) throws(FileFailure) -> FileStatus {
        var status = stat()
        let result = followingLinks ? stat(path, &status) : lstat(path, &status)
        guard result == 0 else { throw failure(.read, path) }
        return Self.status(status)
    }

    package func resolvedPath(of path: String) throws(FileFailure) -> String {
        guard let resolved = realpath(path, nil) else { throw failure(.read, path) }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    package func model(at path: String) throws(GGUFReaderError) -> any ByteSource {
        try FileByteSource(url: URL(fileURLWithPath: path, isDirectory: false))
    }

    private func failure(_ operation: FileFailure.Operation, _ path: String) -> FileFailure {
        FileFailure(operation, path, code: errno)
    }
}

// MARK: - Descriptors

extension SystemFileCalls {
    package func open(_ path: String, for purpose: FileOpening) throws(FileFailure) -> Int32 {
        // Without O_NONBLOCK, opening a named pipe would wait for its other end.
        let flags =
            switch purpose {
            case .reading: O_RDONLY | O_NONBLOCK
            case .readingNoLink: O_RDONLY | O_NONBLOCK | O_NOFOLLOW
            case .creating, .creatingPrivately: O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW
            case .directory: O_RDONLY | O_DIRECTORY
            }
        let permissions: UInt16 = if case .creatingPrivately(let permissions) = purpose { permissions } else { 0o666 }
        while true {
            let descriptor = Self.systemOpen(path, flags | O_CLOEXEC, mode_t(permissions))
            if descriptor >= 0 { return descriptor }
            if errno != EINTR { throw failure(flags & O_CREAT != 0 ? .create : .read, path) }
        }
    }

    package func status(of descriptor: Int32, at path: String) throws(FileFailure) -> FileStatus {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw failure(.read, path) }
        return Self.status(status)
    }

    package func read(
        _ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer, at path: String
    ) throws(FileFailure) -> Int {
        while true {
            let count = Self.systemRead(descriptor, buffer)
            if count >= 0 { return count }
            if errno != EINTR { throw failure(.read, path) }
        }
    }

    package func write(
        _ descriptor: Int32, _ bytes: UnsafeRawBufferPointer, at path: String
    ) throws(FileFailure) -> Int {
        while true {
            let count = Self.systemWrite(descriptor, bytes)
            if count > 0 { return count }
            if count == 0 { throw FileFailure(.write, path, code: EIO) }
            if errno != EINTR { throw failure(.write, path) }
        }
    }

    package func synchronize(_ descriptor: Int32, at path: String) throws(FileFailure) {
        while fsync(descriptor) != 0 {
            // Some network and memory file systems cannot flush folders and say so.
            if errno == EINVAL || errno == ENOTSUP { return }
            if errno != EINTR { throw failure(.synchronize, path) }
        }
    }

    package func close(_ descriptor: Int32) { Self.systemClose(descriptor) }
}

// MARK: - Names

extension SystemFileCalls {
    package func createDirectory(_ path: String) throws(FileFailure) {
        guard mkdir(path, 0o777) == 0 else { throw failure(.create, path) }
    }

    package func rename(_ path: String, to destination: String) throws(FileFailure) {
        guard Self.systemRename(path, destination) == 0 else { throw failure(.move, path) }
    }

    package func removeFile(_ path: String) throws(FileFailure) {
        guard unlink(path) == 0 else { throw failure(.remove, path) }
    }

    package func removeDirectory(_ path: String) throws(FileFailure) {
        guard rmdir(path) == 0 else { throw failure(.remove, path) }
    }
}

// MARK: - The C library under the names of the protocol

extension SystemFileCalls {
    #if canImport(Darwin)
        private static func systemOpen(_ path: String, _ flags: Int32, _ mode: mode_t) -> Int32 {
            Darwin.open(path, flags, mode)
        }
        private static func systemClose(_ descriptor: Int32) { _ = Darwin.close(descriptor) }
        private static func systemRename(_ old: String, _ new: String) -> Int32 { Darwin.rename(old, new) }
        private static func systemRead(_ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
            Darwin.read(descriptor, buffer.baseAddress, buffer.count)
        }
        private static func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
            Darwin.write(descriptor, bytes.baseAddress, bytes.count)
        }
    #elseif canImport(Glibc)
        private static func systemOpen(_ path: String, _ flags: Int32, _ mode: mode_t) -> Int32 {
            Glibc.open(path, flags, mode)
        }
        private static func systemClose(_ descriptor: Int32) { _ = Glibc.close(descriptor) }
        private static func systemRename(_ old: String, _ new: String) -> Int32 { Glibc.rename(old, new) }
        private static func systemRead(_ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
            Glibc.read(descriptor, buffer.baseAddress, buffer.count)
        }
        private static func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
            Glibc.write(descriptor, bytes.baseAddress, bytes.count)
        }
    #elseif canImport(Musl)
        private static func systemOpen(_ path: String, _ flags: Int32, _ mode: mode_t) -> Int32 {
            Musl.open(path, flags, mode)
        }
        private static func systemClose(_ descriptor: Int32) { _ = Musl.close(descriptor) }
        private static func systemRename(_ old: String, _ new: String) -> Int32 { Musl.rename(old, new) }
        private static func systemRead(_ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
            Musl.read(descriptor, buffer.baseAddress, buffer.count)
        }
        private static func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
            Musl.write(descriptor, bytes.baseAddress, bytes.count)
        }
    #endif

    private static func name(of entry: UnsafeMutablePointer<dirent>) -> String {
        withUnsafePointer(to: &entry.pointee.d_name) { name in
            name.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: name.pointee)) {
                String(cString: $0)
            }
        }
    }

    private static func kind(ofType type: UInt8) -> FileStatus.Kind? {
        switch Int32(type) {
        case Int32(DT_REG): .regular
        case Int32(DT_DIR): .directory
        case Int32(DT_LNK): .link
        case Int32(DT_UNKNOWN): nil
        default: .other
        }
    }

    private static func status(_ status: stat) -> FileStatus {
        let kind: FileStatus.Kind =
            switch status.st_mode & S_IFMT {
            case S_IFREG: .regular
            case S_IFDIR: .directory
            case S_IFLNK: .link
            default: .other
            }
        #if canImport(Darwin)
            let time = status.st_mtimespec
        #else
            let time = status.st_mtim
        #endif
        return FileStatus(
            kind: kind, size: Int64(status.st_size),
            modified: ModificationTime(seconds: Int64(time.tv_sec), nanoseconds: Int64(time.tv_nsec)),
            fileNumber: UInt64(status.st_ino), device: UInt64(bitPattern: Int64(status.st_dev)),
            permissions: UInt16(truncatingIfNeeded: status.st_mode & 0o777))
    }
}
