import CarbocationLocalLLM
import Foundation
import TestSupport
import Testing

@Suite("SHA256Hasher", .timeLimit(.minutes(10)))
struct SHA256HasherTests {
    @Test(
        "SC-3: known digests",
        arguments: [
            ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
            ),
        ])
    func vectors(text: String, digest: String) {
        #expect(SHA256Hasher.hash(Array(text.utf8)) == digest)
    }

    @Test("a million times a")
    func million() {
        var hasher = SHA256Hasher()
        let piece = [UInt8](repeating: UInt8(ascii: "a"), count: 1000)
        for _ in 0..<1000 { hasher.update(piece) }
        #expect(hasher.finish() == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
    }

    @Test("the digest does not depend on the pieces", arguments: "The quick brown fox jumps".byteChunkings())
    func chunkings(pieces: [[UInt8]]) {
        var hasher = SHA256Hasher()
        for piece in pieces { hasher.update(piece) }
        #expect(hasher.finish() == SHA256Hasher.hash(Array("The quick brown fox jumps".utf8)))
    }

    @Test("a hasher that is given up leaves nothing behind")
    func abandoned() {
        for _ in 0..<1000 {
            var hasher = SHA256Hasher()
            hasher.update([1, 2, 3])
        }
        #expect(SHA256Hasher.hash([]).hasPrefix("e3b0c442"))
    }

    @Test("files of any size", arguments: [0, 1, 4 << 20, (4 << 20) + 1, 9_999_999])
    func files(count: Int64) async throws {
        let content = ServerContent.pattern(seed: 3, count: count)
        let file = try TemporaryFile(content.bytes)
        #expect(try await SHA256Hasher.hash(fileAt: file.url) == content.sha256)
    }

    @Test("a file that is not there, and a folder")
    func unreadable() async throws {
        let file = try TemporaryFile([])
        await #expect(throws: CocoaError.self) {
            _ = try await SHA256Hasher.hash(fileAt: file.url.appendingPathExtension("missing"))
        }
        await #expect(throws: (any Error).self) {
            _ = try await SHA256Hasher.hash(fileAt: file.url.deletingLastPathComponent())
        }
    }

    @Test("hashing a file can be cancelled")
    func cancellation() async throws {
        let file = try TemporaryFile([1, 2, 3])
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await SHA256Hasher.hash(fileAt: file.url)
        }
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test("what has been hashed is told, to the last byte")
    func progress() async throws {
        let file = try TemporaryFile(ServerContent.pattern(seed: 3, count: 9_000_000).bytes)
        let counts = Locked<[Int64]>([])
        _ = try await SHA256Hasher.hash(fileAt: file.url) { count in counts.withLock { $0.append(count) } }
        let told = counts.withLock { $0 }
        #expect(told == told.sorted())
        #expect(told.last == 9_000_000)
    }

    @Test("a cancellation in the middle ends the reading")
    func cancellationInTheMiddle() async throws {
        let file = try TemporaryFile(ServerContent.pattern(seed: 3, count: 40_000_000).bytes)
        let counts = Locked<[Int64]>([])
        let cancel = Locked<(@Sendable () -> Void)?>(nil)
        let (ready, readied) = AsyncStream.makeStream(of: Void.self)
        let task = Task {
            for await _ in ready { break }
            return try await SHA256Hasher.hash(fileAt: file.url) { count in
                counts.withLock { $0.append(count) }
                cancel.withLock { $0 }?()
            }
        }
        cancel.withLock { $0 = { task.cancel() } }
        readied.yield()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(counts.withLock { $0 }.count == 1)
    }
}

/// A file that is gone with its owner.
private final class TemporaryFile: Sendable {
    let url: URL

    init(_ bytes: [UInt8]) throws {
        url = FileManager.default.temporaryDirectory.appending(path: "SHA256HasherTests-\(UUID().uuidString)")
        try Data(bytes).write(to: url)
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }
}
