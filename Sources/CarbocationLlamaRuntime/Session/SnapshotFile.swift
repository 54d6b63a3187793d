import CarbocationLocalLLM
import Foundation

/// The files that sessions are saved in.
///
/// Numbers are little-endian:
///
/// ```
/// 8   "CLLMSESS"
/// 4   version of the format
/// 4   size of the description
/// …   description: JSON
/// …   tokens of the ledger, then those of the KV cache, 4 bytes each
/// …   the KV cache, then its checkpoints
/// 32  SHA-256 of all that comes before
/// ```
struct SnapshotFile: Sendable {
    static let magic = Array("CLLMSESS".utf8)
    static let version: UInt32 = 1
    static let headerSize = 16
    static let digestSize = 32
    /// More than any KV cache takes.
    static let largestSize = 1 << 44
    static let largestDescription = 256 << 20
    /// What is read, hashed and written at once.
    static let blockSize = 1 << 20

    var calls: any FileCalls = SystemFileCalls()

    /// Writes a snapshot, in place of a file at that path; when that fails, the old file stays.
    ///
    /// Only the user may read the new file, or not even he when he could not read the old one.
    /// Blocks. Throws `FileFailure`, and `CancellationError` soon after `signal` is set.
    func write(_ snapshot: SessionSnapshot, to path: String, signal: CancellationSignal) throws {
        let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
        // A name of its own, because that of the snapshot may be as long as names can be.
        let temporary = "\(folder)/.session-\(UUID().uuidString)"
        do {
            let replaced = try? calls.status(of: path, followingLinks: false)
            try writeNew(
                snapshot, to: temporary, permissions: 0o600 & (replaced?.permissions ?? 0o600), signal: signal)
            try calls.rename(temporary, to: path)
        } catch {
            try? calls.removeFile(temporary)
            throw error
        }
        try calls.synchronizeDirectory(folder.isEmpty ? "/" : folder)
    }

    private func writeNew(
        _ snapshot: SessionSnapshot, to path: String, permissions: UInt16, signal: CancellationSignal
    ) throws {
        let descriptor = try calls.open(path, for: .creatingPrivately(permissions: permissions))
        defer { calls.close(descriptor) }
        var writer = SnapshotWriter(calls: calls, descriptor: descriptor, path: path, signal: signal)
        try writer.append(snapshot)
        try writer.finish()
    }

    /// Reads a snapshot.
    ///
    /// Blocks. Throws `FileFailure` when there is no file or it cannot be read,
    /// ``LLMSessionError/damagedSnapshot(_:)``, and `CancellationError` soon after `signal` is set.
    func read(_ path: String, signal: CancellationSignal) throws -> SessionSnapshot {
        let descriptor = try calls.open(path, for: .reading)
        defer { calls.close(descriptor) }
        let status = try calls.status(of: descriptor, at: path)
        guard status.kind == .regular else { throw LLMSessionError.damagedSnapshot("It is not a file.") }
        var reader = SnapshotReader(calls: calls, descriptor: descriptor, path: path, size: status.size, signal: signal)
        return try reader.read()
    }

    /// The bytes that hexadecimal digits stand for.
    static func digestBytes(_ digits: String) -> [UInt8] {
        let values = digits.utf8.map { UInt8($0 < 58 ? $0 - 48 : $0 - 87) }
        return stride(from: 0, to: values.count, by: 2).map { values[$0] << 4 | values[$0 + 1] }
    }
}
