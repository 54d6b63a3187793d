import GGUFFormat
import TestSupport
import Testing

@Suite("GGUF capture")
struct GGUFCaptureTests {
    private static let file = GGUFBuilder()
        .adding("general.name", .string("n")).adding("llama.context_length", .uint32(1))
        .adding("general.sampling.temp", .float32(1)).adding("other", .uint8(1)).adding(".context_length", .uint8(1))

    private func keys(_ capture: GGUFCapture) throws -> [String] {
        try Self.file.header(capture: capture).entries.map(\.key)
    }

    @Test("names, prefixes and suffixes select")
    func selection() throws {
        #expect(try keys(GGUFCapture(names: ["other", "missing"])) == ["other"])
        #expect(try keys(GGUFCapture(names: [], prefixes: ["general."])) == ["general.name", "general.sampling.temp"])
        #expect(try keys(GGUFCapture(names: [], suffixes: [".context_length"])) == ["llama.context_length"])
        #expect(try keys(GGUFCapture(names: [])).isEmpty)
        #expect(try keys(.all()).count == 5)
    }

    @Test("reading stops at the last wanted key, even before damage")
    func earlyStop() throws {
        let builder = Self.file.adding("damage", .raw(type: 99, payload: []))
        let header = try builder.header(capture: GGUFCapture(names: ["other", "general.name"], stopsEarly: true))
        #expect(header["other"] == .uint8(1))
        #expect(header.tensorTableOffset == nil)
        #expect(throws: GGUFReaderError.invalidValueType(99)) {
            try builder.header(capture: GGUFCapture(names: ["other", "general.name"]))
        }
        #expect(throws: GGUFReaderError.invalidValueType(99)) {
            try builder.header(capture: GGUFCapture(names: ["other"], suffixes: [".x"], stopsEarly: true))
        }
    }

    @Test("the full check never stops early")
    func checkReadsOn() {
        let builder = GGUFBuilder().adding("a", .uint8(1)).adding("damage", .raw(type: 99, payload: []))
        #expect(throws: GGUFReaderError.invalidValueType(99)) {
            try GGUFFileCheck().report(
                on: MemoryByteSource(builder.bytes()), capture: GGUFCapture(names: ["a"], stopsEarly: true))
        }
    }

    @Test("GG-4 GG-8: a string above 4 MiB counts as absent", arguments: [(4 << 20, true), ((4 << 20) + 1, false)])
    func longString(length: Int, isKept: Bool) throws {
        let text = String(repeating: "t", count: length)
        let header = try GGUFBuilder().adding("tokenizer.chat_template", .string(text)).adding("z", .uint8(9))
            .header()
        #expect((header["tokenizer.chat_template"] == .string(text)) == isKept)
        #expect(header["z"] == .uint8(9))
    }

    @Test("GG-5: an absent first value is not replaced by a second one")
    func absentFirst() throws {
        var capture = GGUFCapture.all()
        capture.maximumStringBytes = 3
        let header = try GGUFBuilder().adding("k", .string("long")).adding("k", .string("no")).header(capture: capture)
        #expect(header["k"] == nil)
    }

    @Test("an array with a string that is too long is skipped whole")
    func longElement() throws {
        var capture = GGUFCapture.all()
        capture.maximumStringBytes = 3
        let header = try GGUFBuilder().adding("k", .strings(["a", "long", "b"])).adding("z", .uint8(9))
            .header(capture: capture)
        #expect(header["k"]?.array?.count == 3)
        #expect(header["k"]?.array?.elements == nil)
        #expect(header["z"] == .uint8(9))
    }

    @Test("one reading never keeps more than its memory limit", arguments: [0, 1_000, 100_000] as [UInt64])
    func memoryLimit(limit: UInt64) throws {
        var capture = GGUFCapture.all(wholeArrays: ["big"])
        capture.memoryLimit = limit
        var builder = GGUFBuilder()
        for index in 0..<1_000 { builder.add("key.\(index)", .string(String(repeating: "v", count: 500))) }
        builder.add("big", .int32s(Array(0..<10_000)))
        let header = try builder.header(capture: capture)
        let kept = header.entries.reduce(0) { $0 + $1.key.utf8.count + ($1.value.string?.utf8.count ?? 0) }
        #expect(UInt64(kept) <= limit)
        #expect(header["big"]?.array?.elements == nil)
        #expect(header.keyValueCount == 1_001)
    }
}
