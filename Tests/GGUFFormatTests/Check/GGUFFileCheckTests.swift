import GGUFFormat
import TestSupport
import Testing

@Suite("GGUF full check")
struct GGUFFileCheckTests {
    typealias Tensor = GGUFBuilder.Tensor

    private func reason(_ builder: GGUFBuilder, _ purpose: GGUFFileCheck.Purpose = .loading) -> String {
        readerError { () throws(GGUFReaderError) in try builder.check(purpose) }?.malformedReason ?? ""
    }

    /// Refused for both purposes, naming the tensor and giving the reason.
    private func expectRefusal(_ tensor: Tensor, _ part: String, sourceLocation: SourceLocation = #_sourceLocation) {
        let builder = GGUFBuilder().adding(.float32("before", dimensions: [8])).adding(tensor)
        for purpose in [GGUFFileCheck.Purpose.loading, .inspection] {
            let reason = reason(builder, purpose)
            #expect(
                reason.contains("\"\(String(decoding: tensor.name.prefix(60), as: UTF8.self))"),
                sourceLocation: sourceLocation)
            #expect(reason.contains(part), sourceLocation: sourceLocation)
        }
        #expect(throws: Never.self, sourceLocation: sourceLocation) { try builder.header() }
    }

    @Test("GG-1: a sound file gives its numbers", arguments: [GGUFFileCheck.Purpose.loading, .inspection])
    func sound(purpose: GGUFFileCheck.Purpose) throws {
        let builder = GGUFBuilder.smallModel()
        let report = try builder.check(purpose)
        #expect(report.parameterCount == 12 + 96 + 4)
        #expect(report.tensorByteCount == 48 + 54 + 16)
        #expect(report.dataOffset.isMultiple(of: 32))
        #expect(report.dataOffset + 64 + 64 + 32 == UInt64(builder.bytes().count))
        #expect(report.header["general.architecture"] == .string("llama"))
    }

    @Test("GG-1: a file without tensors needs no padding")
    func vocabularyOnly() throws {
        let report = try GGUFBuilder().adding("general.architecture", .string("llama")).check()
        #expect(report.parameterCount == 0)
    }

    @Test("GG-1: the padding behind the last tensor may be missing")
    func noFinalPadding() throws {
        let builder = GGUFBuilder().adding(.float32("t", dimensions: [9]))
        let bytes = builder.bytes().dropLast(28)
        #expect(try GGUFFileCheck().report(on: MemoryByteSource(Array(bytes))).parameterCount == 9)
        #expect(throws: GGUFReaderError.self) { try GGUFFileCheck().report(on: MemoryByteSource(bytes.dropLast())) }
    }

    @Test("GG-1 F03: 1 to 4 dimensions", arguments: [0, 5, 4_294_967_295] as [UInt32])
    func dimensionCount(count: UInt32) {
        var tensor = Tensor.float32("odd", dimensions: [4, 2])
        tensor.declaredDimensionCount = count
        expectRefusal(tensor, "has \(count) dimensions")
    }

    @Test("GG-1: up to 4 dimensions count", arguments: [[5], [5, 2], [5, 2, 3], [5, 2, 3, 2]] as [[UInt64]])
    func dimensions(dimensions: [UInt64]) throws {
        let report = try GGUFBuilder().adding(.float32("t", dimensions: dimensions)).check()
        #expect(report.parameterCount == dimensions.reduce(1, *))
    }

    @Test("GG-1: unknown and withdrawn types", arguments: [4, 5, 31, 36, 43, 99, .max] as [UInt32])
    func unknownType(type: UInt32) {
        expectRefusal(Tensor("odd", dimensions: [256], type: type, data: [0]), "unknown data type \(type)")
    }

    @Test(
        "GG-1: element counts that overflow",
        arguments: [
            [1 << 32, 1 << 32], [1 << 63], [.max], [1 << 21, 1 << 21, 1 << 21], [1 << 16, 1 << 16, 1 << 16, 1 << 16],
            [3, .max, 5], [1 << 62, 2],
        ] as [[UInt64]])
    func elementOverflow(dimensions: [UInt64]) {
        expectRefusal(Tensor("odd", dimensions: dimensions, type: 0, data: []), "has too many elements")
    }

    @Test(
        "GG-1: byte counts that overflow or leave the file",
        arguments: [
            ([1 << 62], 0, "is too large"), ([(1 << 62) - 1], 28, "is too large"), ([1 << 40], 0, "beyond the end"),
            ([1 << 60], 30, "beyond the end"), ([9], 0, "beyond the end"),
        ] as [([UInt64], UInt32, String)])
    func byteOverflow(dimensions: [UInt64], type: UInt32, part: String) {
        expectRefusal(Tensor("odd", dimensions: dimensions, type: type, data: []), part)
    }

    @Test(
        "an extent of zero is refused, as the runtime asserts against it",
        arguments: [[0], [4, 0], [0, 4]] as [[UInt64]])
    func emptyTensor(dimensions: [UInt64]) {
        expectRefusal(Tensor("odd", dimensions: dimensions, type: 0, data: []), "has no elements")
    }

    @Test("F06: two tensors of one name")
    func duplicateName() {
        expectRefusal(.float32("before", dimensions: [8]), "occurs twice")
    }

    @Test("names that differ only as bytes are different")
    func similarNames() throws {
        let builder = GGUFBuilder().adding(.float32("\u{E9}", dimensions: [8])).adding(
            .float32("e\u{301}", dimensions: [8]))
        #expect(try builder.check().parameterCount == 16)
    }

    @Test("F07: a name of 64 bytes is refused, one of 63 is not; the metadata stays readable")
    func longName() throws {
        expectRefusal(.float32(String(repeating: "a", count: 64), dimensions: [8]), "name of 64 bytes")
        let longest = GGUFBuilder().adding(.float32(String(repeating: "a", count: 63), dimensions: [8]))
        #expect(try longest.check().parameterCount == 8)
    }

    @Test("a zero byte in a name, which would cut it short")
    func zeroByte() {
        let error = reason(GGUFBuilder().adding(.float32("a\0b", dimensions: [8])))
        #expect(error.contains("zero byte"))
    }

    @Test("GG-1: offsets that are not aligned", arguments: [1, 16, 31, 33, .max] as [UInt64])
    func unaligned(offset: UInt64) {
        var tensor = Tensor.float32("odd", dimensions: [8])
        tensor.declaredOffset = offset
        expectRefusal(tensor, "no multiple of 32")
    }

    @Test("GG-1: offsets beyond the file", arguments: [1 << 20, 1 << 62, .max - 31] as [UInt64])
    func farOffset(offset: UInt64) {
        var tensor = Tensor.float32("odd", dimensions: [8])
        tensor.declaredOffset = offset
        let builder = GGUFBuilder().adding(tensor)
        #expect(reason(builder, .inspection).contains("\"odd\""))
        #expect(reason(builder, .loading).contains("instead of 0"))
    }

    @Test("gaps and overlaps are refused for loading only", arguments: [0, 64] as [UInt64])
    func gap(offset: UInt64) throws {
        var tensor = Tensor.float32("odd", dimensions: [8])
        tensor.declaredOffset = offset
        var builder = GGUFBuilder().adding(.float32("before", dimensions: [8])).adding(tensor)
        builder.trailingBytes = [UInt8](repeating: 0, count: 64)
        #expect(reason(builder, .loading).contains("\"odd\" begins at offset \(offset) instead of 32"))
        #expect(try builder.check(.inspection).parameterCount == 16)
    }

    @Test(
        "alignments from 1 on are followed; loading needs boundaries of 32 bytes", arguments: [1, 8, 16, 32, 64, 4_096])
    func alignment(alignment: Int) throws {
        var builder = GGUFBuilder().adding("general.alignment", .uint32(UInt32(alignment)))
        builder.alignment = alignment
        builder.add(Tensor("first", dimensions: [3], type: 24, data: [1, 2, 3]))
        builder.add(.float32("second", dimensions: [8]))
        #expect(try builder.check(.inspection).parameterCount == 11)
        #expect(reason(builder, .loading).isEmpty == (alignment >= 32))
    }

    @Test("a tensor table that is cut off is truncated")
    func truncatedTable() throws {
        let builder = GGUFBuilder.smallModel()
        let table = try #require(try builder.header().tensorTableOffset)
        let bytes = Array(builder.bytes().prefix(Int(table) + 90))
        let error = readerError { () throws(GGUFReaderError) in
            try GGUFFileCheck().report(on: MemoryByteSource(bytes))
        }
        #expect(error?.isSizeError == true)
    }

    @Test("missing tensor data names the last tensor")
    func truncatedData() {
        let bytes = Array(GGUFBuilder.smallModel().bytes().dropLast(40))
        let error = readerError { () throws(GGUFReaderError) in
            try GGUFFileCheck().report(on: MemoryByteSource(bytes))
        }
        #expect(error?.malformedReason.contains("\"norm\" lies beyond the end of the file") == true)
    }

    @Test("a thousand tensors are counted")
    func manyTensors() throws {
        var builder = GGUFBuilder()
        for index in 0..<1_000 { builder.add(.float32("blk.\(index).w", dimensions: [8, 4])) }
        #expect(try builder.check().parameterCount == 32_000)
    }
}
