import CarbocationLocalLLM
import Foundation
import GGUFFormat

/// The system's calls, of which one fails or is the last that the process makes.
///
/// Steps are the calls that change something, counted from 0.
final class FaultyFileCalls: FileCalls {
    enum Fault: Sendable, Hashable {
        /// The step is not done and reports an error, once.
        case failure(step: Int, code: Int32)
        /// The process ends before the step.
        case end(step: Int)
        /// The process ends in the middle of the step; only writing has a middle.
        case endWithin(step: Int)
    }

    private struct State {
        var fault: Fault?
        var steps: [String] = []
        var openedModels: [String] = []
        var openedFiles: [String] = []
        var isDead = false
    }

    private static let deathCode: Int32 = 9999

    private let system = SystemFileCalls()
    private let state: Locked<State>

    init(_ fault: Fault? = nil) {
        state = Locked(State(fault: fault))
    }

    /// The changing calls that were made, with the last component of the path.
    var steps: [String] { state.withLock { $0.steps } }

    /// The model files whose headers were read.
    var openedModels: [String] { state.withLock { $0.openedModels } }

    /// The names of the files that were opened for reading.
    var openedFiles: [String] { state.withLock { $0.openedFiles } }

    var isDead: Bool { state.withLock { $0.isDead } }

    /// Forgets what was recorded.
    func reset() { state.withLock { $0 = State() } }

    private enum Verdict {
        case proceed, half
    }

    private func step(
        _ operation: FileFailure.Operation, _ call: String, _ path: String
    ) throws(FileFailure) -> Verdict {
        let result: Result<Verdict, FileFailure> = state.withLock { state in
            let step = state.steps.count
            if state.isDead { return .failure(FileFailure(operation, path, code: Self.deathCode)) }
            switch state.fault {
            case .failure(step, let code):
                state.steps.append(call)
                return .failure(FileFailure(operation, path, code: code))
            case .end(step):
                state.isDead = true
                return .failure(FileFailure(operation, path, code: Self.deathCode))
            case .endWithin(step):
                state.isDead = true
                guard call == "write" else { return .failure(FileFailure(operation, path, code: Self.deathCode)) }
                return .success(.half)
            default:
                state.steps.append(call)
                return .success(.proceed)
            }
        }
        return try result.get()
    }

    private func requireLife(_ path: String) throws(FileFailure) {
        if isDead { throw FileFailure(.read, path, code: Self.deathCode) }
    }
}

// MARK: - Looking

extension FaultyFileCalls {
    func entries(of directory: String) throws(FileFailure) -> [DirectoryEntry] {
        try requireLife(directory)
        return try system.entries(of: directory)
    }

    func status(of path: String, followingLinks: Bool) throws(FileFailure) -> FileStatus {
        try requireLife(path)
        return try system.status(of: path, followingLinks: followingLinks)
    }

    func resolvedPath(of path: String) throws(FileFailure) -> String {
        try requireLife(path)
        return try system.resolvedPath(of: path)
    }

    func model(at path: String) throws(GGUFReaderError) -> any ByteSource {
        state.withLock { $0.openedModels.append(URL(fileURLWithPath: path).lastPathComponent) }
        return try system.model(at: path)
    }

    func status(of descriptor: Int32, at path: String) throws(FileFailure) -> FileStatus {
        try system.status(of: descriptor, at: path)
    }

    func read(
        _ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer, at path: String
    ) throws(FileFailure) -> Int {
        try requireLife(path)
        return try system.read(descriptor, into: buffer, at: path)
    }

    /// Closing is what the system does for a process that ends.
    func close(_ descriptor: Int32) { system.close(descriptor) }
}

// MARK: - Changing

extension FaultyFileCalls {
    func open(_ path: String, for purpose: FileOpening) throws(FileFailure) -> Int32 {
        if purpose == .creating {
            _ = try step(.create, "create", path)
        } else {
            try requireLife(path)
            state.withLock { $0.openedFiles.append(URL(fileURLWithPath: path).lastPathComponent) }
        }
        return try system.open(path, for: purpose)
    }

    func write(
        _ descriptor: Int32, _ bytes: UnsafeRawBufferPointer, at path: String
    ) throws(FileFailure) -> Int {
        switch try step(.write, "write", path) {
        case .proceed: return try system.write(descriptor, bytes, at: path)
        case .half:
            _ = try system.write(descriptor, UnsafeRawBufferPointer(rebasing: bytes.prefix(bytes.count / 2)), at: path)
            throw FileFailure(.write, path, code: Self.deathCode)
        }
    }

    func synchronize(_ descriptor: Int32, at path: String) throws(FileFailure) {
        _ = try step(.synchronize, "synchronize", path)
        try system.synchronize(descriptor, at: path)
    }

    func createDirectory(_ path: String) throws(FileFailure) {
        _ = try step(.create, "create folder", path)
        try system.createDirectory(path)
    }

    func rename(_ path: String, to destination: String) throws(FileFailure) {
        _ = try step(.move, "rename", path)
        try system.rename(path, to: destination)
    }

    func removeFile(_ path: String) throws(FileFailure) {
        _ = try step(.remove, "remove", path)
        try system.removeFile(path)
    }

    func removeDirectory(_ path: String) throws(FileFailure) {
        _ = try step(.remove, "remove folder", path)
        try system.removeDirectory(path)
    }
}
