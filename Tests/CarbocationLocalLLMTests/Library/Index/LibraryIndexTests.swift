import Foundation
import Testing

@testable import CarbocationLocalLLM

@Suite struct LibraryIndexTests {
    private static func stamp(_ size: Int64) -> FileStamp {
        FileStamp(size: size, modified: ModificationTime(seconds: 1_700_000_000, nanoseconds: 123_456_789))
    }

    private static let header = ModelHeader(
        isGGUF: true, architecture: "llama", generalType: "model", contextLength: 4_096, quantization: "Q4_0",
        splitCount: 2, supportsMTP: true,
        sampling: LLMSamplingDefaults(temperature: 0.7, topP: 0.9, topK: 40, minP: 0, repetitionPenalty: 1.1))

    private func index(file: String = "m.gguf") -> LibraryIndex {
        let stored = InstalledModel(
            id: UUID(), displayName: "Größe 🦙", filename: file, sizeBytes: 12, contextLength: 0, source: .curated,
            hfRepo: "o/r", sha256: "ab",
            artifacts: [
                InstalledModelArtifact(role: .primaryModel, relativePath: file, sizeBytes: 12, sha256: "ab")
            ], installedAt: Date(timeIntervalSince1970: 1_700_000_000))
        let folder = LibraryIndex.Folder(
            metadata: LibraryIndex.MetadataStamp(file: Self.stamp(300), fileNumber: 77), stored: stored,
            weights: LibraryIndex.File(stamp: Self.stamp(12), header: Self.header),
            listed: stored.completed(with: Self.header, weightsSize: 12))
        return LibraryIndex(
            folders: [stored.id.uuidString: folder],
            files: [
                "/a": LibraryIndex.File(stamp: Self.stamp(1), header: Self.header),
                "/b": LibraryIndex.File(stamp: Self.stamp(2), header: .foreign),
            ])
    }

    @Test("ML-14: an index survives the file")
    func roundTrip() throws {
        let index = index()
        let read = try #require(LibraryIndex(bytes: index.bytes))
        #expect(read.files == index.files)
        let (name, folder) = try #require(index.folders.first)
        let other = try #require(read.folders[name])
        #expect(other.metadata == folder.metadata)
        #expect(other.stored == folder.stored)
        #expect(other.weights == folder.weights)
        #expect(other.listed == folder.listed)
        #expect(LibraryIndex(bytes: LibraryIndex().bytes)?.folders.isEmpty == true)
    }

    @Test("ML-14: any changed byte and any lost byte makes the index unusable")
    func damage() {
        let bytes = index().bytes
        for position in bytes.indices {
            var changed = bytes
            changed[position] ^= 0x10
            #expect(LibraryIndex(bytes: changed) == nil, "byte \(position)")
        }
        for count in 0..<bytes.count { #expect(LibraryIndex(bytes: Array(bytes.prefix(count))) == nil) }
        #expect(LibraryIndex(bytes: bytes + [0]) == nil)
    }

    @Test("ML-14: an index of another version is ignored")
    func version() {
        var bytes = index().bytes
        bytes[8] = LibraryIndex.version + 1
        #expect(LibraryIndex(bytes: bytes) == nil)
    }

    @Test(
        "ML-14: paths in an index are not trusted", arguments: ["../x.gguf", "/etc/x.gguf", "a/../b.gguf", "a\\b.gguf"])
    func unsafePaths(path: String) throws {
        let read = try #require(LibraryIndex(bytes: index(file: path).bytes))
        #expect(read.folders.isEmpty)
        #expect(read.files.count == 2)
    }

    @Test("indexes are the same when their entries are the same objects")
    func sameness() throws {
        let one = index()
        var other = one
        #expect(one.holdsTheSame(as: other))
        other.files["/c"] = LibraryIndex.File(stamp: Self.stamp(3), header: .foreign)
        #expect(!one.holdsTheSame(as: other))
        #expect(!one.holdsTheSame(as: index()))
    }
}

@Suite struct ByteReaderTests {
    private func read<Value>(
        _ bytes: [UInt8], _ body: (inout ByteReader) throws -> Value
    ) -> Value? {
        bytes.withUnsafeBytes { all in
            var reader = ByteReader(all)
            return try? body(&reader)
        }
    }

    @Test("lengths beyond the bytes left are refused before anything is allocated")
    func hugeLengths() {
        let huge: [UInt8] = [0xFF, 0xFF, 0xFF, 0xFF, 1, 2]
        #expect(read(huge) { try $0.text() } == nil)
        #expect(read(huge) { reader in try reader.list { (_) throws(ByteReader.Malformed) in 0 } } == nil)
    }

    @Test("flags are 0 or 1, and numbers need all their bytes")
    func numbers() {
        #expect(read([0]) { try $0.flag() } == false)
        #expect(read([1]) { try $0.flag() } == true)
        #expect(read([2]) { try $0.flag() } == nil)
        #expect(read([1, 2, 3]) { try $0.number(UInt32.self) } == nil)
        #expect(read([1, 2, 3, 4]) { try $0.number(UInt32.self) } == 0x0403_0201)
    }
}
