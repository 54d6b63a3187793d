import GGUFFormat
import TestSupport
import Testing

@Suite("GGUF alignment key")
struct HeaderAlignmentTests {
    @Test("F04: absent means 32")
    func absent() throws {
        #expect(try GGUFBuilder().adding("a", .uint8(1)).header().alignment == 32)
    }

    @Test("GG-4 F04: powers of two up to 1 MiB are accepted", arguments: (0...20).map { UInt32(1) << $0 })
    func accepted(alignment: UInt32) throws {
        let header = try GGUFBuilder().adding("general.alignment", .uint32(alignment)).header()
        #expect(header.alignment == UInt64(alignment))
        #expect(header["general.alignment"] == .uint32(alignment))
    }

    @Test("GG-4 F04: other numbers are malformed", arguments: [0, 3, 33, 1 << 21, 1 << 30, 1 << 31, .max] as [UInt32])
    func refused(alignment: UInt32) {
        let builder = GGUFBuilder().adding("general.alignment", .uint32(alignment))
        for capture in [GGUFCapture.all(), .modelFacts] {
            let error = readerError { () throws(GGUFReaderError) in try builder.header(capture: capture) }
            #expect(error?.malformedReason.contains("general.alignment of \(alignment)") == true)
        }
    }

    @Test(
        "GG-4 F04: another type is an error, not a reinterpretation",
        arguments: [
            GGUFBuilder.Value.uint64(32), .int32(32), .uint16(32), .string("32"), .float32(32), .int32s([32]),
        ])
    func wrongType(value: GGUFBuilder.Value) {
        let error = readerError { () throws(GGUFReaderError) in
            try GGUFBuilder().adding("general.alignment", value).header()
        }
        #expect(error?.malformedReason.contains("32-bit unsigned") == true)
    }

    @Test("GG-5: of two alignments the first counts")
    func repeated() throws {
        let builder = GGUFBuilder().adding("general.alignment", .uint32(64)).adding("general.alignment", .uint32(3))
        #expect(try builder.header().alignment == 64)
    }
}
