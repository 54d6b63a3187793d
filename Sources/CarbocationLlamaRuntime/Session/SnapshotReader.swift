import CarbocationLocalLLM
import Foundation

/// Reads one snapshot, from a file that may hold anything.
///
/// Every size is compared with what the file has before memory is taken for it.
struct SnapshotReader: ~Copyable {
    private let calls: any FileCalls
    private let descriptor: Int32
    private let path: String
    private let size: Int64
    private let signal: CancellationSignal
    private var hasher = SHA256Hasher()

    init(calls: any FileCalls, descriptor: Int32, path: String, size: Int64, signal: CancellationSignal) {
        self.calls = calls
        self.descriptor = descriptor
        self.path = path
        self.size = size
        self.signal = signal
    }

    mutating func read() throws -> SessionSnapshot {
        let (description, descriptionSize) = try readDescription()
        guard let payload = description.payloadSize,
            size == Int64(SnapshotFile.headerSize + descriptionSize + payload + SnapshotFile.digestSize)
        else { throw Self.damaged("Its size is not what it should be; the file may be cut off.") }
        guard size <= Int64(clamping: ProcessInfo.processInfo.physicalMemory) else {
            throw Self.damaged("It is larger than the memory of this computer.")
        }
        let ledger = try tokens(description.ledgerCount)
        let state = try description.state.map { try readState($0) }
        try checkDigest()
        do {
            return SessionSnapshot(
                model: description.model, cacheIdentity: description.cache, system: description.system,
                transcript: try description.transcript.map { try $0.message() }, ledger: ledger, state: state)
        } catch {
            throw Self.damaged("A call of a tool in it is no JSON.")
        }
    }

    private mutating func readDescription() throws -> (SnapshotDescription, size: Int) {
        guard size >= Int64(SnapshotFile.headerSize + SnapshotFile.digestSize) else {
            throw Self.damaged("It is too short to be one.")
        }
        let header = try bytes(SnapshotFile.headerSize)
        guard header.starts(with: SnapshotFile.magic) else { throw Self.damaged("It is not a saved session.") }
        let version = Self.number(header[8..<12])
        guard version <= SnapshotFile.version else {
            throw Self.damaged(
                "It was saved by a newer version of this app, in format \(version). "
                    + "This version reads formats up to \(SnapshotFile.version).")
        }
        guard version > 0 else { throw Self.damaged("Its format has no version.") }
        let count = Int(Self.number(header[12..<16]))
        guard count <= SnapshotFile.largestDescription,
            Int64(SnapshotFile.headerSize + count + SnapshotFile.digestSize) <= size
        else { throw Self.damaged("Its description is longer than the file.") }
        guard let description = try? JSONDecoder().decode(SnapshotDescription.self, from: Data(try bytes(count))) else {
            throw Self.damaged("Its description cannot be read.")
        }
        return (description, count)
    }

    private mutating func readState(_ sizes: SnapshotDescription.State) throws -> SequenceState {
        let tokens = try tokens(sizes.tokenCount)
        let state = try bytes(sizes.byteCount)
        var checkpoints: [SequenceState.Checkpoint] = []
        for checkpoint in sizes.checkpoints {
            checkpoints.append(
                SequenceState.Checkpoint(count: checkpoint.tokenCount, bytes: try bytes(checkpoint.byteCount)))
        }
        return SequenceState(tokens: tokens, promptCount: sizes.promptCount, bytes: state, checkpoints: checkpoints)
    }

    private mutating func checkDigest() throws {
        var complete = SHA256Hasher()
        swap(&complete, &hasher)
        let computed = SnapshotFile.digestBytes(complete.finish())
        guard try bytes(SnapshotFile.digestSize) == computed else {
            throw Self.damaged("Its checksum is wrong; the file was changed or not written to its end.")
        }
    }

    private mutating func tokens(_ count: Int) throws -> [Token] {
        var tokens = [Token](repeating: 0, count: count)
        try tokens.withUnsafeMutableBytes { try fill($0) }
        return tokens.map { Token(littleEndian: $0) }
    }

    private mutating func bytes(_ count: Int) throws -> [UInt8] {
        try [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            try fill(UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[..<count]))
            initialized = count
        }
    }

    private mutating func fill(_ buffer: UnsafeMutableRawBufferPointer) throws {
        var filled = 0
        while filled < buffer.count {
            try signal.check()
            let end = min(buffer.count, filled + SnapshotFile.blockSize)
            let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[filled..<end])
            let count = try calls.read(descriptor, into: rest, at: path)
            guard count > 0 else { throw Self.damaged("It became shorter while it was read.") }
            hasher.update(UnsafeRawBufferPointer(rebasing: rest[..<count]))
            filled += count
        }
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt32 {
        bytes.reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }

    private static func damaged(_ reason: String) -> LLMSessionError {
        .damagedSnapshot(reason)
    }
}
