import Foundation

@testable import CarbocationLocalLLM

/// The files of this machine, with faults: single operations fail, or from some operation on all do, as if the process
/// had ended there.
final class FaultyFileSystem: DownloadFileSystem {
    /// What may be made to fail.
    enum Operation: String, Sendable, CaseIterable {
        case createFolder, open, size, contents, writeSidecar, move, link, remove, syncFolder, lock, write, read
        case truncate, flush
    }

    private struct State {
        var count = 0
        var lifetime = Int.max
        var failures: [Operation: (code: Int32, skips: Int, times: Int)] = [:]
        var log: [Operation] = []
        var freeBytes: Int64?
        var hasLocks = true
        var onChange: @Sendable () -> Void = {}
    }

    private let local = LocalFileSystem()
    private let state = Locked(State())

    /// How many changes have been made to the disk.
    var changes: Int { state.withLock { $0.count } }

    /// Whether the process has "ended".
    var isDead: Bool { state.withLock { $0.count >= $0.lifetime } }

    /// All operations so far.
    var log: [Operation] { state.withLock { $0.log } }

    /// Lets operations fail with an error number.
    func fail(_ operation: Operation, code: Int32, skipping: Int = 0, times: Int = .max) {
        state.withLock { $0.failures[operation] = (code, skipping, times) }
    }

    /// Repairs everything.
    func repair() {
        state.withLock { $0.failures = [:] }
    }

    /// Ends the process after so many changes; a write that it ends in is done by half.
    func die(after changes: Int) {
        state.withLock { $0.lifetime = changes }
    }

    /// Sets what to do after each change.
    func setOnChange(_ body: @escaping @Sendable () -> Void) {
        state.withLock { $0.onChange = body }
    }

    func setFreeBytes(_ bytes: Int64?) {
        state.withLock { $0.freeBytes = bytes }
    }

    func removeLocks() {
        state.withLock { $0.hasLocks = false }
    }

    /// Throws if the operation is to fail.
    fileprivate func enter(_ operation: Operation, name: String, changes: Bool) throws {
        let code = state.withLock { state -> Int32? in
            guard state.count < state.lifetime else { return EIO }
            state.log.append(operation)
            if var failure = state.failures[operation], failure.times > 0 {
                if failure.skips > 0 { failure.skips -= 1 } else { failure.times -= 1 }
                let isDue = failure.skips == 0 && failure.times < (state.failures[operation]?.times ?? 0)
                state.failures[operation] = failure
                if isDue { return failure.code }
            }
            if changes { state.count += 1 }
            return state.count < state.lifetime || !changes ? nil : EIO
        }
        if let code { throw FileSystemFailure(operation: operation.rawValue, name: name, code: code) }
        if changes { state.withLock { $0.onChange }() }
    }

    // MARK: DownloadFileSystem

    func createFolder(_ folder: URL) throws {
        try enter(.createFolder, name: folder.lastPathComponent, changes: true)
        try local.createFolder(folder)
    }

    func openFile(_ url: URL) throws -> any DownloadFile {
        try enter(.open, name: url.lastPathComponent, changes: true)
        return FaultyFile(file: try local.openFile(url), fileSystem: self)
    }

    func size(of url: URL) throws -> Int64? {
        try enter(.size, name: url.lastPathComponent, changes: false)
        return try local.size(of: url)
    }

    func identity(of url: URL) throws -> FileIdentity? { try local.identity(of: url) }

    func contents(of url: URL, limit: Int) throws -> Data? {
        try enter(.contents, name: url.lastPathComponent, changes: false)
        return try local.contents(of: url, limit: limit)
    }

    func write(_ data: Data, to url: URL) throws {
        do {
            try enter(.writeSidecar, name: url.lastPathComponent, changes: true)
        } catch {
            if isDead { try? local.write(data.prefix(data.count / 2), to: url) }
            throw error
        }
        try local.write(data, to: url)
    }

    func move(_ url: URL, to destination: URL) throws {
        try enter(.move, name: url.lastPathComponent, changes: true)
        try local.move(url, to: destination)
    }

    func link(_ url: URL, to destination: URL) throws {
        try enter(.link, name: url.lastPathComponent, changes: true)
        try local.link(url, to: destination)
    }

    func remove(_ url: URL) throws {
        try enter(.remove, name: url.lastPathComponent, changes: true)
        try local.remove(url)
    }

    func syncFolder(_ folder: URL) throws {
        try enter(.syncFolder, name: folder.lastPathComponent, changes: true)
    }

    func names(in folder: URL) throws -> [String] { try local.names(in: folder) }

    func availableBytes(at folder: URL) -> Int64? {
        state.withLock { $0.freeBytes } ?? local.availableBytes(at: folder)
    }

    func tryLock(_ url: URL) throws -> FileLockAttempt {
        try enter(.lock, name: url.lastPathComponent, changes: true)
        guard state.withLock({ $0.hasLocks }) else { return .unsupported }
        guard case .acquired(let lock) = try local.tryLock(url) else { return .busy }
        return .acquired(FaultyLock(lock: lock, url: url, fileSystem: self))
    }
}

private final class FaultyFile: DownloadFile {
    let file: any DownloadFile
    let fileSystem: FaultyFileSystem

    init(file: any DownloadFile, fileSystem: FaultyFileSystem) {
        self.file = file
        self.fileSystem = fileSystem
    }

    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws {
        let wasDead = fileSystem.isDead
        do {
            try fileSystem.enter(.write, name: "data", changes: true)
        } catch {
            if !wasDead, fileSystem.isDead {
                try file.write(UnsafeRawBufferPointer(rebasing: bytes.prefix(bytes.count / 2)), at: offset)
            }
            throw error
        }
        try file.write(bytes, at: offset)
    }

    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws -> Int {
        try fileSystem.enter(.read, name: "data", changes: false)
        return try file.read(into: buffer, at: offset)
    }

    func truncate(to size: Int64) throws {
        try fileSystem.enter(.truncate, name: "data", changes: true)
        try file.truncate(to: size)
    }

    func flush() throws {
        try fileSystem.enter(.flush, name: "data", changes: true)
    }
}

/// A lock whose file stays when the process has ended.
private final class FaultyLock: FileLock {
    let lock: any FileLock
    let url: URL
    let fileSystem: FaultyFileSystem

    init(lock: any FileLock, url: URL, fileSystem: FaultyFileSystem) {
        self.lock = lock
        self.url = url
        self.fileSystem = fileSystem
    }

    func release() {
        lock.release()
        if fileSystem.isDead { try? Data().write(to: url) }
    }
}
