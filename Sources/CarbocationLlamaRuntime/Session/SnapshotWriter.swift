import CarbocationLocalLLM
import Foundation

/// Writes one snapshot to a new file, without a copy of the whole.
struct SnapshotWriter: ~Copyable {
    private let calls: any FileCalls
    private let descriptor: Int32
    private let path: String
    private let signal: CancellationSignal
    private var hasher = SHA256Hasher()

    init(calls: any FileCalls, descriptor: Int32, path: String, signal: CancellationSignal) {
        self.calls = calls
        self.descriptor = descriptor
        self.path = path
        self.signal = signal
    }

    mutating func append(_ snapshot: SessionSnapshot) throws {
        let description = try JSONEncoder().encode(SnapshotDescription(snapshot))
        guard let size = UInt32(exactly: description.count), size <= SnapshotFile.largestDescription else {
            throw FileFailure(.write, path, code: EFBIG)
        }
        try append(SnapshotFile.magic)
        try append([SnapshotFile.version.littleEndian, size.littleEndian])
        try append(Array(description))
        try append(snapshot.ledger.map(\.littleEndian))
        guard let state = snapshot.state else { return }
        try append(state.tokens.map(\.littleEndian))
        try append(state.bytes)
        for checkpoint in state.checkpoints { try append(checkpoint.bytes) }
    }

    /// Ends the file with its checksum and waits until it is on the disk.
    consuming func finish() throws {
        let (calls, descriptor, path) = (calls, descriptor, path)
        let digest = SnapshotFile.digestBytes(hasher.finish())
        try digest.withUnsafeBytes { try calls.write(descriptor, all: $0, at: path) }
        try calls.synchronize(descriptor, at: path)
    }

    private mutating func append(_ values: [some BitwiseCopyable]) throws {
        try values.withUnsafeBytes { bytes in
            for start in stride(from: 0, to: bytes.count, by: SnapshotFile.blockSize) {
                try signal.check()
                let end = min(bytes.count, start + SnapshotFile.blockSize)
                let block = UnsafeRawBufferPointer(rebasing: bytes[start..<end])
                hasher.update(block)
                try calls.write(descriptor, all: block, at: path)
            }
        }
    }
}
