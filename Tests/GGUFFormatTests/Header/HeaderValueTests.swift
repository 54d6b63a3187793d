import GGUFFormat
import TestSupport
import Testing

@Suite("GGUF header values")
struct HeaderValueTests {
    private static let scalars: [(GGUFBuilder.Value, GGUFValue)] = [
        (.uint8(200), .uint8(200)), (.int8(-100), .int8(-100)), (.uint16(60_000), .uint16(60_000)),
        (.int16(-30_000), .int16(-30_000)), (.uint32(4_000_000_000), .uint32(4_000_000_000)),
        (.int32(-2_000_000_000), .int32(-2_000_000_000)), (.float32(1.5), .float32(1.5)), (.bool(0), .bool(false)),
        (.bool(1), .bool(true)), (.string("grüße"), .string("grüße")), (.string(""), .string("")),
        (.uint64(.max), .uint64(.max)), (.int64(.min), .int64(.min)), (.float64(-0.1), .float64(-0.1)),
    ]

    @Test("GG-4 F09: every scalar type decodes", arguments: 0..<scalars.count, [false, true])
    func scalar(index: Int, isBigEndian: Bool) throws {
        let (stored, expected) = Self.scalars[index]
        let header = try GGUFBuilder(isBigEndian: isBigEndian).adding("k", stored).adding("z", .uint8(9)).header()
        #expect(header["k"] == expected)
        #expect(header["z"] == .uint8(9), "the reader stands right behind the value")
    }

    @Test(
        "GG-4 F09: an array of every element type decodes, an empty one too", arguments: 0..<scalars.count,
        [false, true])
    func arrays(index: Int, isBigEndian: Bool) throws {
        let (stored, expected) = Self.scalars[index]
        let header = try GGUFBuilder(isBigEndian: isBigEndian)
            .adding("full", .array(type: stored.typeNumber, [stored, stored]))
            .adding("empty", .array(type: stored.typeNumber, []))
            .adding("z", .uint8(9)).header()
        #expect(header["full"]?.array?.elements == [expected, expected])
        #expect(header["full"]?.array?.count == 2)
        #expect(header["empty"]?.array?.elements == [])
        #expect(header["z"] == .uint8(9))
    }

    @Test("GG-4 F09: a truth value other than 0 and 1 is malformed", arguments: [2, 255] as [UInt8], [true, false])
    func bools(byte: UInt8, isCaptured: Bool) throws {
        let builder = GGUFBuilder().adding("flag", .bool(byte))
        let capture: GGUFCapture = isCaptured ? .all() : GGUFCapture(names: ["other"])
        let error = readerError { () throws(GGUFReaderError) in try builder.header(capture: capture) }
        #expect(error?.malformedReason.contains("\"flag\"") == true)
        #expect(error?.malformedReason.contains("\(byte)") == true)
    }

    @Test("GG-4: truth values inside a captured array are checked too")
    func boolArray() {
        let builder = GGUFBuilder().adding("flags", .array(type: 7, [.bool(1), .bool(3)]))
        #expect(readerError { () throws(GGUFReaderError) in try builder.header() }?.malformedReason.isEmpty == false)
    }

    @Test("GG-4 F03: unknown types are refused by number", arguments: [13, 99, .max] as [UInt32])
    func unknownType(type: UInt32) {
        #expect(throws: GGUFReaderError.invalidValueType(type)) {
            try GGUFBuilder().adding("k", .raw(type: type, payload: [0, 0, 0, 0])).header()
        }
        #expect(throws: GGUFReaderError.invalidValueType(type)) {
            try GGUFBuilder().adding("k", .hugeArray(type: type, count: 0, payload: [])).header()
        }
    }

    @Test("GG-4: bytes that are not UTF-8 become U+FFFD")
    func invalidText() throws {
        let header = try GGUFBuilder().adding("k", .bytes([0x61, 0xFF, 0x62, 0xF0, 0x9F])).header()
        #expect(header["k"] == .string("a\u{FFFD}b\u{FFFD}"))
    }

    @Test("GG-4: keys that are not UTF-8 are read and clash with nothing")
    func invalidKeys() throws {
        var builder = GGUFBuilder()
        builder.add(keyBytes: [0xFF], .uint8(1))
        builder.add(keyBytes: [0xFE], .uint8(2))
        builder.add("b", .uint8(3))
        let header = try builder.header()
        #expect(header["\u{FFFD}"] == .uint8(1))
        #expect(header["b"] == .uint8(3))
    }

    @Test(
        "GG-4: a key may have 65,535 bytes, and not one more",
        arguments: [(65_535, true), (65_536, false), (200_000, false)])
    func longKey(length: Int, isAccepted: Bool) throws {
        let key = String(repeating: "k", count: length)
        let builder = GGUFBuilder().adding("a", .uint8(1)).adding(key, .uint8(2)).adding("b", .uint8(3))
        let result = Result { try builder.header() }
        if isAccepted {
            #expect(try result.get()[key] == .uint8(2))
            #expect(try result.get()["b"] == .uint8(3))
        } else {
            #expect((result.failure as? GGUFReaderError)?.malformedReason.contains("\(length) bytes") == true)
        }
    }

    @Test("GG-5 F06: of a repeated key the first counts, whatever its type")
    func duplicates() throws {
        let header = try GGUFBuilder()
            .adding("general.name", .string("first")).adding("x", .uint8(1))
            .adding("general.name", .string("second")).adding("general.name", .uint32(3)).header()
        #expect(header["general.name"] == .string("first"))
        #expect(header.entries.map(\.key) == ["general.name", "x"])
        #expect(header.keyValueCount == 4)
    }

    @Test("GG-5 F06: loading refuses a repeated key, as the runtime does")
    func duplicatesWhenLoading() throws {
        let builder = GGUFBuilder().adding("a.b", .uint8(1)).adding("a.b", .uint8(2))
        let error = readerError { () throws(GGUFReaderError) in try builder.check(.loading) }
        #expect(error?.malformedReason.contains("\"a.b\" occurs twice") == true)
        #expect(try builder.check(.inspection).parameterCount == 0)
    }

    @Test("keys beyond the window of the reader are found")
    func farKeys() throws {
        var builder = GGUFBuilder()
        for index in 0..<5_000 {
            builder.add("key.number.\(index)", .string(String(repeating: "v", count: index % 97)))
        }
        let header = try builder.header()
        #expect(header.entries.count == 5_000)
        #expect(header["key.number.4999"] == .string(String(repeating: "v", count: 4_999 % 97)))
    }
}

extension Result {
    fileprivate var failure: Failure? {
        if case .failure(let error) = self { error } else { nil }
    }
}
