import CarbocationLocalLLM
import Foundation
import GGUFFormat

/// The system's file calls, one of which fails because the disk is full.
struct FailingFileCalls: FileCalls {
    enum Fault: CaseIterable {
        case create, firstWrite, laterWrite, synchronize, rename
    }

    private let fault: Fault
    private let system = SystemFileCalls()
    private let writes = Locked(0)

    init(_ fault: Fault) {
        self.fault = fault
    }

    private func fail(_ candidate: Fault, _ operation: FileFailure.Operation, _ path: String) throws(FileFailure) {
        if fault == candidate { throw FileFailure(operation, path, code: ENOSPC) }
    }

    func entries(of directory: String) throws(FileFailure) -> [DirectoryEntry] { try system.entries(of: directory) }

    func status(of path: String, followingLinks: Bool) throws(FileFailure) -> FileStatus {
        try system.status(of: path, followingLinks: followingLinks)
    }

    func resolvedPath(of path: String) throws(FileFailure) -> String { try system.resolvedPath(of: path) }

    func model(at path: String) throws(GGUFReaderError) -> any ByteSource { try system.model(at: path) }

    func open(_ path: String, for purpose: FileOpening) throws(FileFailure) -> Int32 {
        if case .creatingPrivately = purpose { try fail(.create, .create, path) }
        return try system.open(path, for: purpose)
    }

    func status(of descriptor: Int32, at path: String) throws(FileFailure) -> FileStatus {
        try system.status(of: descriptor, at: path)
    }

    func read(
        _ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer, at path: String
    ) throws(FileFailure) -> Int {
        try system.read(descriptor, into: buffer, at: path)
    }

    func write(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer, at path: String) throws(FileFailure) -> Int {
        let count = writes.withLock { writes in
            writes += 1
            return writes
        }
        try fail(.firstWrite, .write, path)
        if count > 3 { try fail(.laterWrite, .write, path) }
        // Short writes are no failures.
        return try system.write(descriptor, UnsafeRawBufferPointer(rebasing: bytes.prefix(7)), at: path)
    }

    func synchronize(_ descriptor: Int32, at path: String) throws(FileFailure) {
        try fail(.synchronize, .synchronize, path)
        try system.synchronize(descriptor, at: path)
    }

    func close(_ descriptor: Int32) { system.close(descriptor) }
    func createDirectory(_ path: String) throws(FileFailure) { try system.createDirectory(path) }

    func rename(_ path: String, to destination: String) throws(FileFailure) {
        try fail(.rename, .move, path)
        try system.rename(path, to: destination)
    }

    func removeFile(_ path: String) throws(FileFailure) { try system.removeFile(path) }
    func removeDirectory(_ path: String) throws(FileFailure) { try system.removeDirectory(path) }
}
