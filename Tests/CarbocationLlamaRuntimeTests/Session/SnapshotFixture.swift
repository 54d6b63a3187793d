import CarbocationLocalLLM
import Foundation

@testable import CarbocationLlamaRuntime

/// Small snapshots, and a folder for their files.
struct SnapshotFixture {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("session-\(UUID().uuidString)")

    init() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    func remove() {
        try? FileManager.default.removeItem(at: folder)
    }

    var path: String { folder.appendingPathComponent("talk.session").path }

    static func snapshot(withState: Bool = true) throws -> SessionSnapshot {
        let call = LLMToolCall(
            executionID: "call_1", rawID: "x", name: "f",
            arguments: ["z": 1, "a": [2.5, 3.0, nil, "é\u{0}"], "big": 12_345_678_901], triggerPhase: .final)
        let descriptor = LlamaModelDescriptor(id: UUID(), url: PocketModel.url, displayName: "Pocket")
        return SessionSnapshot(
            model: SessionModel(descriptor, fingerprint: try ModelFingerprint(modelAt: PocketModel.url)),
            cacheIdentity: try CacheIdentity(LlamaEngineConfiguration(), contextSize: 512),
            system: " \n",
            transcript: [
                LLMChatMessage(role: .system, content: "Be brief."),
                LLMChatMessage(role: .user, content: "Hi\u{1F600}"),
                LLMChatMessage(role: .assistant, content: "", reasoningContent: "hm", toolCalls: [call]),
                .tool(LLMToolOutput(callID: "call_1", name: "f", content: ["ok": true])),
            ],
            ledger: [5, 0, -1, .max, 77],
            state: withState
                ? SequenceState(
                    tokens: [5, 6, 7], promptCount: 2, bytes: Array(repeating: 9, count: 300),
                    checkpoints: [SequenceState.Checkpoint(count: 2, bytes: [1, 2, 3])]) : nil)
    }

    /// Saves and reads again.
    func roundTrip(_ snapshot: SessionSnapshot, calls: any FileCalls = SystemFileCalls()) throws -> SessionSnapshot {
        try SnapshotFile(calls: calls).write(snapshot, to: path, signal: CancellationSignal())
        return try read()
    }

    func read() throws -> SessionSnapshot {
        try SnapshotFile().read(path, signal: CancellationSignal())
    }

    func read(_ bytes: [UInt8]) throws -> SessionSnapshot {
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        return try read()
    }

    /// A snapshot file of any parts, with the checksum that it has to have.
    static func file(version: UInt32 = 1, description: String, payload: [UInt8] = []) -> [UInt8] {
        var bytes = SnapshotFile.magic
        withUnsafeBytes(of: version.littleEndian) { bytes += $0 }
        withUnsafeBytes(of: UInt32(description.utf8.count).littleEndian) { bytes += $0 }
        bytes += Array(description.utf8) + payload
        return bytes + SnapshotFile.digestBytes(SHA256Hasher.hash(bytes))
    }
}

/// Whether an error is that of a damaged snapshot, with a reason.
func isDamage(_ error: any Error) -> Bool {
    guard case LLMSessionError.damagedSnapshot(let reason) = error else { return false }
    return !reason.isEmpty && error.localizedDescription.contains(reason)
}
