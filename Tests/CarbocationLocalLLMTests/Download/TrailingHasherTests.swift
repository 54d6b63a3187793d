import Foundation
import TestSupport
import Testing

@testable import CarbocationLocalLLM

@Suite("TrailingHasher")
struct TrailingHasherTests {
    private let folder = DownloadFolder()
    private let bytes = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }

    private func file(_ name: String = "x") throws -> any DownloadFile {
        let file = try LocalFileSystem().openFile(folder.url(name))
        try bytes.withUnsafeBytes { try file.write($0, at: 0) }
        return file
    }

    @Test("the digest does not depend on how the file grew", arguments: [[], [3_000_000], [1, 1_048_576, 2_999_999]])
    func growth(prefixes: [Int64]) async throws {
        let hasher = TrailingHasher(file: try file())
        for prefix in prefixes { hasher.advance(to: prefix) }
        #expect(try await hasher.digest(of: 3_000_000) == SHA256Hasher.hash(bytes))
    }

    @Test("bytes that come in order are hashed without being read again", arguments: [1, 100_000, BodyBuffer.size])
    func fromMemory(pieceSize: Int) async throws {
        let fileSystem = FaultyFileSystem()
        let hasher = TrailingHasher(file: try fileSystem.openFile(folder.url("x")))
        fileSystem.fail(.read, code: EIO)
        let content = pieceSize == 1 ? Array(bytes.prefix(50)) : bytes
        for piece in pieces(of: content, size: pieceSize) { hasher.take(piece.buffer, at: piece.start) }
        #expect(try await hasher.digest(of: Int64(content.count)) == SHA256Hasher.hash(content))
    }

    @Test("bytes that come out of order, or not at all, are read from the file", arguments: 0..<4)
    func outOfOrder(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let hasher = TrailingHasher(file: try file())
        for piece in pieces(of: bytes, size: 100_000).shuffled(using: &random) where piece.start % 700_000 != 0 {
            // What is in the file already may be announced in any order.
            hasher.take(piece.buffer, at: piece.start)
        }
        #expect(try await hasher.digest(of: 3_000_000) == SHA256Hasher.hash(bytes))
    }

    @Test("after a new beginning what is still in memory does not count")
    func rewindWithPieces() async throws {
        let hasher = TrailingHasher(file: try file())
        for piece in pieces(of: bytes.map { ~$0 }, size: 100_000) { hasher.take(piece.buffer, at: piece.start) }
        hasher.rewind()
        hasher.advance(to: 1_000_000)
        #expect(try await hasher.digest(of: 3_000_000) == SHA256Hasher.hash(bytes))
    }

    @Test("after a new beginning, bytes that come in order are hashed from memory again")
    func rewindAndTake() async throws {
        let hasher = TrailingHasher(file: try file())
        let all = pieces(of: bytes, size: 100_000)
        for piece in all.prefix(10) { hasher.take(piece.buffer, at: piece.start) }
        hasher.rewind()
        for piece in all { hasher.take(piece.buffer, at: piece.start) }
        #expect(try await hasher.digest(of: 3_000_000) == SHA256Hasher.hash(bytes))
    }

    private func pieces(of bytes: [UInt8], size: Int) -> [(buffer: BodyBuffer, start: Int64)] {
        let pool = BodyBufferPool()
        return stride(from: 0, to: bytes.count, by: size).map { start in
            let buffer = BodyBuffer(from: pool)
            bytes[start..<min(start + size, bytes.count)].withUnsafeBytes { _ = buffer.append($0) }
            return (buffer, Int64(start))
        }
    }

    @Test("after bytes were written anew the digest is that of the new ones")
    func rewind() async throws {
        let file = try file()
        let hasher = TrailingHasher(file: file)
        hasher.advance(to: 2_000_000)
        try [UInt8(1), 2, 3].withUnsafeBytes { try file.write($0, at: 100) }
        hasher.rewind()
        var changed = bytes
        changed.replaceSubrange(100..<103, with: [1, 2, 3])
        #expect(try await hasher.digest(of: 3_000_000) == SHA256Hasher.hash(changed))
    }

    @Test("a file that is shorter than it should be is an error, and so is a failing disk")
    func failures() async throws {
        let short = TrailingHasher(file: try file())
        await #expect(throws: FileSystemFailure.self) { try await short.digest(of: 3_000_001) }
        let fileSystem = FaultyFileSystem()
        let faulty = try fileSystem.openFile(folder.url("x"))
        fileSystem.fail(.read, code: EIO)
        await #expect(throws: FileSystemFailure.self) { try await TrailingHasher(file: faulty).digest(of: 10) }
    }

    @Test("hashing can be cancelled")
    func cancelled() async throws {
        let hasher = TrailingHasher(file: try file())
        hasher.cancel()
        await #expect(throws: CancellationError.self) { try await hasher.digest(of: 3_000_000) }
    }
}
