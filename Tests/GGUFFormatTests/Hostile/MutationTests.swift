import GGUFFormat
import TestSupport
import Testing

/// Files damaged in every way: whatever the reader makes of them, it never traps.
///
/// That it ends with a value or a `GGUFReaderError` is then guaranteed by typed throws. What it accepts must also be
/// consistent.
@Suite("GGUF mutations", .timeLimit(.minutes(10)))
struct MutationTests {
    private static let files: [(name: String, bytes: [UInt8])] = [
        ("little-endian model", GGUFBuilder.smallModel().bytes()),
        ("big-endian model", GGUFBuilder.smallModel(isBigEndian: true).bytes()),
        ("nested arrays and odd types", oddities.bytes()),
    ]

    private static var oddities: GGUFBuilder {
        var builder = GGUFBuilder(version: 2)
        builder.add("general.alignment", .uint32(64))
        builder.add("nested", .nested(depth: 4))
        builder.add("flags", .array(type: 7, [.bool(0), .bool(1)]))
        builder.add("ragged", .array(type: 9, [.strings(["x"]), .int32s([1, 2])]))
        builder.add("general.sampling.top_k", .int32(20))
        builder.alignment = 64
        builder.add(.float32("t", dimensions: [2, 1, 1, 2]))
        return builder
    }

    /// Reads the bytes in every way there is and returns whether the header was accepted.
    @discardableResult
    private func readInAllWays(_ bytes: [UInt8]) -> Bool {
        let source = MemoryByteSource(bytes)
        let header = try? GGUFFile.header(of: source, capture: .all())
        if let facts = try? GGUFFile.header(of: source) {
            let facts = GGUFModelFacts(header: facts, fileName: "m-Q8_0.gguf")
            #expect(facts.trainingContextLength ?? 1 > 0)
        }
        _ = readerError { () throws(GGUFReaderError) in try GGUFFileCheck(for: .inspection).report(on: source) }
            .map(\.errorDescription)
        if let report = try? GGUFFileCheck(for: .loading).report(on: source) {
            #expect(report.dataOffset + report.tensorByteCount <= UInt64(bytes.count))
            #expect(header != nil)
        }
        if let header {
            #expect(UInt64(header.entries.count) <= header.keyValueCount)
            #expect(header.tensorTableOffset ?? 0 <= UInt64(bytes.count))
        }
        return header != nil
    }

    @Test("the originals are sound", arguments: 0..<files.count)
    func originals(file: Int) {
        #expect(readInAllWays(Self.files[file].bytes))
    }

    @Test("every byte set to several values", arguments: 0..<files.count)
    func everyByte(file: Int) {
        let original = Self.files[file].bytes
        var accepted = 0
        for index in original.indices {
            let old = original[index]
            for new in [0, 1, 2, 9, 0x7F, 0x80, 0xFF, old ^ 0x01, old ^ 0x80, old &+ 1] where new != old {
                var bytes = original
                bytes[index] = new
                if readInAllWays(bytes) { accepted += 1 }
            }
        }
        #expect(accepted > 0, "changes of mere text are accepted")
    }

    @Test("every run of four and eight bytes set to extremes", arguments: 0..<files.count)
    func everyNumber(file: Int) {
        let original = Self.files[file].bytes
        for (width, fills) in [(4, [0xFF]), (8, [0x00, 0x7F, 0xFF])] as [(Int, [UInt8])] {
            for start in 0...original.count - width {
                for fill in fills {
                    var bytes = original
                    bytes.replaceSubrange(start..<start + width, with: repeatElement(fill, count: width))
                    readInAllWays(bytes)
                }
            }
        }
    }

    @Test("F02: every length of a cut-off file is refused by the full check", arguments: 0..<files.count)
    func truncation(file: Int) throws {
        let original = Self.files[file].bytes
        let table = try GGUFFile.header(of: MemoryByteSource(original)).tensorTableOffset
        let tableOffset = try #require(table)
        for length in original.indices {
            let bytes = Array(original.prefix(length))
            #expect(readInAllWays(bytes) == (UInt64(length) >= minimumLength(original, tableOffset)))
            let isAccepted = (try? GGUFFileCheck(for: .inspection).report(on: MemoryByteSource(bytes))) != nil
            #expect(!isAccepted || original[length...].allSatisfy { $0 == 0 }, "cut at \(length)")
        }
    }

    /// A header is readable from the end of its key-values on, if the table that it announces would fit.
    private func minimumLength(_ bytes: [UInt8], _ tableOffset: UInt64) -> UInt64 {
        let tensors = (try? GGUFFile.header(of: MemoryByteSource(bytes)).tensorCount) ?? 0
        return max(tableOffset, 24 + tensors * 24)
    }

    @Test("random damage, 1,000 seeds a file", arguments: 0..<files.count)
    func random(file: Int) {
        let original = Self.files[file].bytes
        for seed in 0..<1_000 {
            var random = SeededGenerator(seed: UInt64(seed) &* 31 &+ UInt64(file))
            var bytes = original
            for _ in 0..<Int.random(in: 1...6, using: &random) { damage(&bytes, &random) }
            readInAllWays(bytes)
        }
    }

    @Test("random bytes behind a sound beginning, 2,000 seeds")
    func noise() {
        for seed in 0..<2_000 {
            var random = SeededGenerator(seed: UInt64(seed))
            let mask = UInt8.random(in: 0...255, using: &random)
            let rest = (0..<Int.random(in: 0...200, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random) & mask
            }
            let builder = GGUFBuilder.raw(
                tensors: .random(in: 0...3, using: &random), keyValues: .random(in: 0...3, using: &random), rest)
            readInAllWays(builder.bytes())
        }
    }

    private func damage(_ bytes: inout [UInt8], _ random: inout SeededGenerator) {
        guard !bytes.isEmpty else { return }
        let index = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<5, using: &random) {
        case 0: bytes[index] = .random(in: 0...255, using: &random)
        case 1: bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        case 2: bytes.removeSubrange(index..<min(bytes.count, index + Int.random(in: 1...9, using: &random)))
        case 3: bytes.insert(contentsOf: bytes[index..<min(bytes.count, index + 16)], at: index)
        default: bytes.removeLast(Int.random(in: 0..<min(bytes.count, 40), using: &random))
        }
    }
}
