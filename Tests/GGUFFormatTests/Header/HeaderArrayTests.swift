import GGUFFormat
import TestSupport
import Testing

@Suite("GGUF arrays")
struct HeaderArrayTests {
    @Test("GG-3: arrays may be nested four deep", arguments: 1...4, [true, false])
    func nesting(depth: Int, isCaptured: Bool) throws {
        let builder = GGUFBuilder().adding("deep", .nested(depth: depth)).adding("z", .uint8(9))
        let header = try builder.header(capture: isCaptured ? .all() : GGUFCapture(names: ["z"]))
        #expect(header["z"] == .uint8(9))
        guard isCaptured else { return }
        var value = try #require(header["deep"])
        for _ in 0..<depth { value = try #require(value.array?.elements?.first) }
        #expect(value == .uint8(7))
    }

    @Test("GG-3 F03: deeper nesting is refused", arguments: [5, 6, 100, 5_000], [true, false])
    func tooDeep(depth: Int, isCaptured: Bool) {
        let builder = GGUFBuilder().adding("deep", .nested(depth: depth))
        #expect(throws: GGUFReaderError.nestingTooDeep) {
            try builder.header(capture: isCaptured ? .all() : GGUFCapture(names: ["z"]))
        }
    }

    @Test("arrays of arrays of different lengths decode")
    func ragged() throws {
        let ragged = GGUFBuilder.Value.array(type: 9, [.int32s([1, 2]), .strings([]), .strings(["x", ""])])
        let header = try GGUFBuilder().adding("r", ragged).adding("z", .uint8(9)).header()
        let inner = try #require(header["r"]?.array?.elements).compactMap(\.array)
        #expect(inner.map(\.elementType) == [.int32, .string, .string])
        #expect(inner.map(\.elements) == [[.int32(1), .int32(2)], [], [.string("x"), .string("")]])
        #expect(header["z"] == .uint8(9))
    }

    @Test("arrays above the limit are skipped but counted", arguments: [63, 64, 65] as [Int])
    func limit(count: Int) throws {
        let header = try GGUFBuilder()
            .adding("tokens", .strings((0..<count).map { "token \($0)" })).adding("z", .uint8(9)).header()
        let array = try #require(header["tokens"]?.array)
        #expect(array.count == UInt64(count))
        #expect((array.elements != nil) == (count <= 64))
        #expect(header["z"] == .uint8(9))
    }

    @Test("an array that the caller names is kept whole")
    func whole() throws {
        let texts = (0..<10_000).map { "token \($0)" }
        let header = try GGUFBuilder().adding("tokens", .strings(texts)).adding("z", .uint8(9))
            .header(capture: GGUFCapture(names: ["z"], wholeArrays: ["tokens"]))
        #expect(header["tokens"]?.strings == texts)
        #expect(header["z"] == .uint8(9))
    }

    @Test(
        "GG-3: strings of every length around the window are skipped exactly",
        arguments: [0, 1, 65_519, 65_520, 65_528, 65_529, 65_535, 65_536, 65_537, 131_072, 300_000], [false, true])
    func windowEdges(length: Int, isBigEndian: Bool) throws {
        let long = String(repeating: "x", count: length)
        let builder = GGUFBuilder(isBigEndian: isBigEndian)
            .adding("tokens", .strings(["a", long, "", long, "b"])).adding("z", .string(long))
        let header = try builder.header(capture: GGUFCapture(names: ["z"]))
        #expect(header["z"] == .string(long))
        let whole = try builder.header(capture: GGUFCapture(names: [], wholeArrays: ["tokens"]))
        #expect(whole["tokens"]?.strings == ["a", long, "", long, "b"])
    }

    @Test("GG-3: many strings are skipped in one pass, wherever a window ends")
    func manyStrings() throws {
        var random = SeededGenerator(seed: 7)
        let texts = (0..<60_000).map { _ in String(repeating: "t", count: Int(random.next() % 40)) }
        let header = try GGUFBuilder().adding("tokens", .strings(texts)).adding("z", .uint8(9)).header()
        #expect(header["tokens"]?.array?.count == 60_000)
        #expect(header["z"] == .uint8(9))
    }

    @Test("GG-3: an array of fixed size is left in one step, even a huge one of a sparse file")
    func fixedSkip() throws {
        let source = SparseSource(
            head: Array(
                GGUFBuilder.raw(keyValues: 2).adding("a", .hugeArray(type: 12, count: 1 << 40, payload: [])).bytes()),
            gap: 8 << 40,
            tail: [1, 0, 0, 0, 0, 0, 0, 0, UInt8(ascii: "z"), 0, 0, 0, 0, 9])
        let header = try GGUFFile.header(of: source, capture: .all())
        #expect(header["a"]?.array?.count == 1 << 40)
        #expect(header["a"]?.array?.elements == nil)
        #expect(header["z"] == .uint8(9))
        #expect(source.readCount <= 3)
    }

    @Test("where an array begins is known")
    func offset() throws {
        let header = try GGUFBuilder().adding("k", .array(type: 0, [.uint8(1)])).header()
        let array = try #require(header["k"]?.array)
        #expect(array.offset == 24 + 9 + 4 + 4 + 8)
    }
}

/// Two runs of bytes with a gap of zeros between them that takes no memory.
private final class SparseSource: ByteSource {
    let size: UInt64
    private let head: [UInt8]
    private let tail: [UInt8]
    private let tailStart: UInt64
    private(set) var readCount = 0

    init(head: [UInt8], gap: UInt64, tail: [UInt8]) {
        self.head = head
        self.tail = tail
        tailStart = UInt64(head.count) + gap
        size = tailStart + UInt64(tail.count)
    }

    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64) -> Int {
        readCount += 1
        let count = Int(min(UInt64(buffer.count), size - offset))
        for index in 0..<count { buffer[index] = byte(at: offset + UInt64(index)) }
        return count
    }

    private func byte(at offset: UInt64) -> UInt8 {
        if offset < UInt64(head.count) { return head[Int(offset)] }
        return offset >= tailStart ? tail[Int(offset - tailStart)] : 0
    }
}
