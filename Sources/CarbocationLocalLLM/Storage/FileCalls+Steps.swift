#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

extension FileCalls {
    /// The status, or nil when there is nothing.
    package func statusIfPresent(of path: String, followingLinks: Bool) throws(FileFailure) -> FileStatus? {
        do throws(FileFailure) {
            return try status(of: path, followingLinks: followingLinks)
        } catch {
            guard error.isMissing else { throw error }
            return nil
        }
    }

    /// Whether a real folder is there; a link to one is none.
    package func isDirectory(_ path: String) -> Bool {
        (try? status(of: path, followingLinks: false))?.kind == .directory
    }

    /// Creates a folder unless it is there; anything else at its place is an error.
    package func ensureDirectory(_ path: String) throws(FileFailure) {
        do throws(FileFailure) {
            try createDirectory(path)
        } catch {
            guard error.code == EEXIST else { throw error }
            guard isDirectory(path) else { throw FileFailure(.create, path, code: ENOTDIR) }
        }
    }

    /// Creates a folder and those above it; links on the way are followed.
    package func ensureDirectories(_ path: String) throws(FileFailure) {
        if let status = try statusIfPresent(of: path, followingLinks: true), status.kind == .directory { return }
        if let slash = path.lastIndex(of: "/"), slash != path.startIndex {
            try ensureDirectories(String(path[..<slash]))
        }
        do throws(FileFailure) {
            try createDirectory(path)
        } catch {
            guard error.code == EEXIST else { throw error }
            guard try status(of: path, followingLinks: true).kind == .directory else {
                throw FileFailure(.create, path, code: ENOTDIR)
            }
        }
    }

    /// Creates the folders that lead to a file below a folder, and returns them, the outermost first.
    ///
    /// Links on the way are not followed; one in the place of a folder is an error.
    package func ensureFolders(of relativePath: String, in folder: String) throws(FileFailure) -> [String] {
        var path = folder
        var folders: [String] = []
        for component in relativePath.split(separator: "/").dropLast() {
            path += "/" + component
            try ensureDirectory(path)
            folders.append(path)
        }
        return folders
    }

    /// Flushes the names in a folder.
    package func synchronizeDirectory(_ path: String) throws(FileFailure) {
        let descriptor = try open(path, for: .directory)
        defer { close(descriptor) }
        try synchronize(descriptor, at: path)
    }

    /// Flushes a file that others have written.
    package func synchronizeFile(_ path: String) throws(FileFailure) {
        let descriptor = try open(path, for: .readingNoLink)
        defer { close(descriptor) }
        try synchronize(descriptor, at: path)
    }

    /// The bytes of a small regular file that is no link, with what it is.
    ///
    /// A file larger than `limit` is refused before any of it is read.
    package func contents(of path: String, limit: Int) throws(FileFailure) -> (bytes: [UInt8], status: FileStatus) {
        let descriptor = try open(path, for: .readingNoLink)
        defer { close(descriptor) }
        let status = try status(of: descriptor, at: path)
        guard status.kind == .regular else { throw FileFailure(.read, path, code: EINVAL) }
        guard status.size <= limit else { throw FileFailure(.read, path, code: EFBIG) }
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Int(status.size), alignment: 1)
        defer { buffer.deallocate() }
        var count = 0
        while count < buffer.count {
            let free = UnsafeMutableRawBufferPointer(rebasing: buffer[count...])
            let read = try read(descriptor, into: free, at: path)
            if read == 0 { break }
            count += read
        }
        return (Array(buffer[..<count]), status)
    }

    /// Writes a new file.
    package func writeFile(_ path: String, _ bytes: [UInt8], flushing: Bool = true) throws(FileFailure) {
        let descriptor = try open(path, for: .creating)
        defer { close(descriptor) }
        let result = bytes.withUnsafeBytes { all in
            Result { () throws(FileFailure) in try write(descriptor, all: all, at: path) }
        }
        try result.get()
        if flushing { try synchronize(descriptor, at: path) }
    }

    /// Writes all bytes at the descriptor's position.
    package func write(
        _ descriptor: Int32, all bytes: UnsafeRawBufferPointer, at path: String
    ) throws(FileFailure) {
        var rest = bytes[...]
        while !rest.isEmpty {
            rest = rest.dropFirst(try write(descriptor, UnsafeRawBufferPointer(rebasing: rest), at: path))
        }
    }
}

// MARK: - Copying

extension FileCalls {
    /// Copies a file's contents to a new file and flushes it.
    ///
    /// `checkpoint` runs before each piece and may throw to stop; the part written then stays.
    package func copyFile(
        _ source: String, to destination: String, checkpoint: () throws -> Void = {}
    ) throws {
        let input = try open(source, for: .reading)
        defer { close(input) }
        let output = try open(destination, for: .creating)
        defer { close(output) }
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 4096)
        defer { buffer.deallocate() }
        while true {
            try checkpoint()
            let count = try read(input, into: buffer, at: source)
            if count == 0 { break }
            try write(output, all: UnsafeRawBufferPointer(rebasing: buffer[..<count]), at: destination)
        }
        try synchronize(output, at: destination)
    }
}

// MARK: - Removing

extension FileCalls {
    /// Removes a file or a folder with all it holds; links are removed and never followed.
    ///
    /// The folders to go are kept in a list, so that deep ones exhaust no stack. Goes on after a failure, removes what
    /// it can, and throws the first.
    package func removeTree(_ path: String) throws(FileFailure) {
        guard let root = try statusIfPresent(of: path, followingLinks: false) else { return }
        guard root.kind == .directory else { return try removeFile(path) }
        var failure: FileFailure?
        var found = [path]
        var next = 0
        while next < found.count {
            found += removeFiles(in: found[next], &failure)
            next += 1
        }
        for folder in found.reversed() {
            do throws(FileFailure) { try removeDirectory(folder) } catch { failure = failure ?? error }
        }
        if let failure { throw failure }
    }

    /// Removes all but folders, and returns those.
    private func removeFiles(in folder: String, _ failure: inout FileFailure?) -> [String] {
        var folders: [String] = []
        do throws(FileFailure) {
            for entry in try entries(of: folder) {
                let path = folder + "/" + entry.name
                let kind = entry.kind ?? (try? status(of: path, followingLinks: false))?.kind
                if kind == .directory {
                    folders.append(path)
                } else {
                    do throws(FileFailure) { try removeFile(path) } catch { failure = failure ?? error }
                }
            }
        } catch {
            failure = failure ?? error
        }
        return folders
    }
}
