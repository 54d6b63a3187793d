import Foundation

/// Keeps every partial file to one writer, in this process and among processes.
struct DownloadLocks: Sendable {
    /// How long to wait before a file that another process has locked is tried again.
    private static let pollInterval = Duration.milliseconds(100)

    let mutex: KeyedMutex
    let fileSystem: any DownloadFileSystem
    let clock: DownloadClock

    /// Waits for the exclusive right to a download's files; the folder must exist.
    ///
    /// - Throws: `CancellationError` or a `FileSystemFailure`.
    func acquire(_ files: PartialFiles) async throws -> HeldDownloadLock {
        let name = Self.name(of: files)
        try await mutex.acquire(name)
        do {
            return HeldDownloadLock(name: name, mutex: mutex, fileLock: try await fileLock(files.lock))
        } catch {
            mutex.release(name)
            throw error
        }
    }

    private func fileLock(_ url: URL) async throws -> (any FileLock)? {
        while true {
            try Task.checkCancellation()
            switch try fileSystem.tryLock(url) {
            case .acquired(let lock): return lock
            // The turn within this process is all that can be had.
            case .unsupported: return nil
            case .busy: try await clock.sleep(Self.pollInterval)
            }
        }
    }

    /// The same for every way to write the folder's path.
    private static func name(of files: PartialFiles) -> String {
        files.folder.resolvingSymlinksInPath().standardizedFileURL.appendingPathComponent(files.key).path
    }
}

/// The exclusive right to a download's files, until it is released.
final class HeldDownloadLock: Sendable {
    private let name: String
    private let mutex: KeyedMutex
    private let fileLock: Locked<(any FileLock)?>
    private let isReleased = Locked(false)

    init(name: String, mutex: KeyedMutex, fileLock: (any FileLock)?) {
        self.name = name
        self.mutex = mutex
        self.fileLock = Locked(fileLock)
    }

    deinit { release() }

    func release() {
        let wasReleased = isReleased.withLock { released in
            defer { released = true }
            return released
        }
        guard !wasReleased else { return }
        fileLock.withLock { $0?.release() }
        mutex.release(name)
    }
}
