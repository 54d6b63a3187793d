import Foundation
import GGUFFormat
import TestSupport
import Testing

@Suite("Reading GGUF files from disk")
struct FileByteSourceTests {
    private func unreadableReason(_ url: URL) -> String? {
        if case .unreadable(let reason) = readerError({ () throws(GGUFReaderError) in try GGUFFile.header(at: url) }) {
            reason
        } else {
            nil
        }
    }

    @Test("a file gives the same as its bytes")
    func same() throws {
        try withTemporaryFolder { folder in
            let url = folder.appendingPathComponent("modèle-Q4_0.gguf")
            let builder = GGUFBuilder.smallModel()
            try builder.write(to: url)
            #expect(try GGUFFile.header(at: url, capture: .all()) == builder.header())
            #expect(try GGUFFile.check(at: url) == builder.check())
            #expect(try GGUFFile.facts(at: url).quantization == "Q4_0")
        }
    }

    @Test("missing files, folders and web addresses are unreadable")
    func unreadable() throws {
        try withTemporaryFolder { folder in
            #expect(unreadableReason(folder.appendingPathComponent("none.gguf")) == "No such file or directory.")
            #expect(unreadableReason(folder) == "it is not a regular file.")
            #expect(unreadableReason(URL(fileURLWithPath: "/dev/null")) == "it is not a regular file.")
            let web = try #require(URL(string: "https://example.org/m.gguf"))
            #expect(unreadableReason(web) == "the address is not that of a local file.")
        }
    }

    @Test("a named pipe does not block the reader")
    func pipe() throws {
        try withTemporaryFolder { folder in
            let url = folder.appendingPathComponent("pipe.gguf")
            #expect(url.withUnsafeFileSystemRepresentation { mkfifo($0!, 0o600) } == 0)
            #expect(unreadableReason(url) == "it is not a regular file.")
        }
    }

    @Test("links are followed")
    func link() throws {
        try withTemporaryFolder { folder in
            let file = folder.appendingPathComponent("blob")
            let link = folder.appendingPathComponent("m-Q8_0.gguf")
            try GGUFBuilder.smallModel().write(to: file)
            try FileManager.default.createSymbolicLink(at: link, withDestinationURL: file)
            #expect(try GGUFFile.facts(at: link).quantization == "Q8_0")
        }
    }

    @Test("F02: a file that shrinks while it is read is truncated, not fatal")
    func shrinking() throws {
        try withTemporaryFolder { folder in
            let url = folder.appendingPathComponent("m.gguf")
            let filler = [UInt8](repeating: 1, count: 300_000)
            try GGUFBuilder().adding("filler", .bytes(filler)).adding("general.name", .string("n")).write(to: url)
            let source = try FileByteSource(url: url)
            let handle = try FileHandle(forWritingTo: url)
            try handle.truncate(atOffset: 1_000)
            try handle.close()
            #expect(throws: GGUFReaderError.truncated(offset: 1_000)) {
                try GGUFFile.header(of: source, capture: .all())
            }
            #expect(throws: GGUFReaderError.self) { try GGUFFileCheck().report(on: source) }
        }
    }

    @Test("a file that grows is read to its first length")
    func growing() throws {
        try withTemporaryFolder { folder in
            let url = folder.appendingPathComponent("m.gguf")
            try Data("GGU".utf8).write(to: url)
            let source = try FileByteSource(url: url)
            let handle = try FileHandle(forWritingTo: url)
            try handle.seekToEnd()
            try handle.write(contentsOf: Data("F-and-more-bytes-than-a-header-needs".utf8))
            try handle.close()
            #expect(throws: GGUFReaderError.notGGUF) { try GGUFFile.header(of: source) }
        }
    }

    @Test("a source that hands out one byte at a time gives the same")
    func trickle() throws {
        let builder = GGUFBuilder.smallModel()
        #expect(try GGUFFile.header(of: TrickleSource(builder.bytes()), capture: .all()) == builder.header())
        #expect(try GGUFFileCheck().report(on: TrickleSource(builder.bytes())) == builder.check())
    }

    @Test("GG-3: the metadata of 262,144 tokens and half a million merges is read within the limit")
    func largeVocabulary() throws {
        try withTemporaryFolder { folder in
            let url = folder.appendingPathComponent("m.gguf")
            try GGUFBuilder()
                .adding("tokenizer.ggml.tokens", .strings((0..<262_144).map { "t\($0)" }))
                .adding("tokenizer.ggml.merges", .strings((0..<500_000).map { "a \($0)" }))
                .adding("general.name", .string("n")).write(to: url)
            var name: String?
            let best = try (0..<5).map { _ in
                try ContinuousClock().measure { name = try GGUFFile.facts(at: url).name }
            }.min()
            #expect(name == "n")
            // Release builds take about 4 ms; the room is for debug builds on a busy machine.
            #expect(try #require(best) < .seconds(5))
        }
    }
}

private final class TrickleSource: ByteSource {
    private let bytes: [UInt8]
    let size: UInt64

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        size = UInt64(bytes.count)
    }

    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64) -> Int {
        guard offset < size, !buffer.isEmpty else { return 0 }
        buffer[0] = bytes[Int(offset)]
        return 1
    }
}
