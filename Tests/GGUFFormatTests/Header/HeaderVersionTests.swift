import GGUFFormat
import TestSupport
import Testing

@Suite("GGUF magic, version and byte order")
struct HeaderVersionTests {
    private func read(_ bytes: [UInt8]) throws(GGUFReaderError) -> GGUFHeader {
        try GGUFFile.header(of: MemoryByteSource(bytes), capture: .all())
    }

    @Test(
        "what does not begin with the mark is no GGUF file",
        arguments: [
            Array("<!DOCTYPE html><html></html>".utf8), [], Array("GGU".utf8), Array("gguf0000".utf8),
            Array("FUGG\u{3}\0\0\0".utf8), Array("version https://git-lfs".utf8),
        ])
    func notGGUF(bytes: [UInt8]) {
        #expect(throws: GGUFReaderError.notGGUF) { try read(bytes) }
    }

    @Test("F08: versions 2 and 3 parse in both byte orders", arguments: [2, 3] as [UInt32], [false, true])
    func supported(version: UInt32, isBigEndian: Bool) throws {
        let builder = GGUFBuilder(version: version, isBigEndian: isBigEndian)
            .adding("general.architecture", .string("llama"))
            .adding("llama.context_length", .uint32(32_768))
            .adding("x.scale", .float64(-0.5))
            .adding("x.list", .array(type: 3, [.int16(-2), .int16(258)]))
        let header = try builder.header()
        #expect(header.version == version)
        #expect(header.isBigEndian == isBigEndian)
        #expect(header["llama.context_length"] == .uint32(32_768))
        #expect(header["x.scale"] == .float64(-0.5))
        #expect(header["x.list"]?.array?.elements == [.int16(-2), .int16(258)])
        #expect(try builder.facts().trainingContextLength == 32_768)
    }

    @Test("F08 F09: other versions are refused by number", arguments: [0, 1, 4, 99, 0x0001_0003] as [UInt32])
    func unsupported(version: UInt32) {
        #expect(throws: GGUFReaderError.unsupportedVersion(version)) {
            try GGUFBuilder(version: version).header()
        }
    }

    @Test(
        "F08: the version bytes decide on the byte order",
        arguments: [
            ([0, 0, 0, 3], nil), ([0, 0, 0, 2], nil), ([3, 0, 0, 0], nil), ([0, 0, 3, 0], 768), ([0, 3, 0, 0], 768),
            ([0, 0, 0, 99], 99), ([0, 0, 0, 1], 1),
        ] as [([UInt8], UInt32?)])
    func versionBytes(bytes: [UInt8], refused: UInt32?) {
        let file = Array("GGUF".utf8) + bytes + [UInt8](repeating: 0, count: 16)
        #expect(readerError { () throws(GGUFReaderError) in try read(file) } == refused.map { .unsupportedVersion($0) })
    }

    @Test("F08: a big-endian file is not loaded, and the reason is given")
    func bigEndianLoad() {
        let error = readerError { () throws(GGUFReaderError) in
            try GGUFBuilder.smallModel(isBigEndian: true).check(.loading)
        }
        #expect(error?.malformedReason.contains("big-endian order, which is not supported") == true)
    }

    @Test("GG-1: a big-endian file can be inspected")
    func bigEndianInspection() throws {
        let report = try GGUFBuilder.smallModel(isBigEndian: true).check(.inspection)
        #expect(report.parameterCount == 112)
        #expect(report.header.isBigEndian)
    }

    @Test("a file that ends inside its fixed header is truncated", arguments: 4..<24)
    func shortHeader(length: Int) {
        let bytes = Array(GGUFBuilder().bytes().prefix(length))
        let offset: UInt64 = length < 8 ? 4 : length < 16 ? 8 : 16
        #expect(throws: GGUFReaderError.truncated(offset: offset)) { try read(bytes) }
    }

    @Test("a file without keys and tensors is sound")
    func empty() throws {
        let header = try GGUFBuilder().header()
        #expect(header.entries.isEmpty)
        #expect(header.tensorTableOffset == 24)
        #expect(header.alignment == 32)
        #expect(header.fileSize == 24)
    }
}
