import GGUFFormat
import TestSupport
import Testing

@Suite("GGUF hostile counts", .timeLimit(.minutes(10)))
struct HostileCountTests {
    /// Numbers around the powers of two at which products and sums overflow.
    static let huge: [UInt64] = [
        1 << 20, 1 << 31, 1 << 32, 1 << 48, (1 << 60) - 1, 1 << 60, 1 << 61, 1 << 62, (1 << 63) - 1, 1 << 63, .max - 7,
        .max,
    ]

    private func error(_ builder: GGUFBuilder) -> (error: GGUFReaderError?, time: Duration) {
        let bytes = builder.bytes()
        var result: GGUFReaderError?
        let time = ContinuousClock().measure {
            result = readerError { () throws(GGUFReaderError) in
                try GGUFFile.header(of: MemoryByteSource(bytes), capture: .all())
            }
        }
        return (result, time)
    }

    @Test(
        "GG-2 F02: array lengths of every fixed type", arguments: huge,
        [0, 1, 2, 3, 4, 5, 6, 7, 10, 11, 12] as [UInt32])
    func arrays(count: UInt64, type: UInt32) {
        let (error, time) = error(GGUFBuilder().adding("a", .hugeArray(type: type, count: count, payload: [])))
        #expect(error == .hostileCount(field: "array length of \"a\"", value: count))
        #expect(time < .seconds(5))
    }

    @Test("GG-2 F02: lengths of arrays of strings and arrays", arguments: huge, [8, 9] as [UInt32])
    func containers(count: UInt64, type: UInt32) {
        let (error, _) = error(
            GGUFBuilder().adding("a", .hugeArray(type: type, count: count, payload: [UInt8](repeating: 0, count: 64))))
        #expect(error == .hostileCount(field: "array length of \"a\"", value: count))
    }

    @Test("GG-2 F02 F03: string lengths", arguments: huge)
    func strings(length: UInt64) {
        let (error, _) = error(GGUFBuilder().adding("a", .hugeString(length: length, payload: Array("abc".utf8))))
        #expect(error == .hostileCount(field: "text length of \"a\"", value: length))
    }

    @Test("GG-2 F02: string lengths inside an array", arguments: huge)
    func stringsInArray(length: UInt64) {
        var payload = withUnsafeBytes(of: UInt64(1).littleEndian) { Array($0) } + [0x61]
        payload += withUnsafeBytes(of: length.littleEndian) { Array($0) }
        for names in [["a"], ["b"]] as [Set<String>] {
            let builder = GGUFBuilder().adding("a", .hugeArray(type: 8, count: 2, payload: payload))
            let error = readerError { () throws(GGUFReaderError) in
                try builder.header(capture: GGUFCapture(names: names))
            }
            #expect(error == .hostileCount(field: "text length of \"a\"", value: length))
        }
    }

    @Test("GG-2 F02: key-value counts", arguments: huge)
    func keyValues(count: UInt64) {
        #expect(error(.raw(keyValues: count)).error == .hostileCount(field: "number of key-values", value: count))
    }

    @Test("GG-2 F02: tensor counts", arguments: huge)
    func tensors(count: UInt64) {
        #expect(error(.raw(tensors: count)).error == .hostileCount(field: "number of tensors", value: count))
    }

    @Test("GG-2 F02: key lengths", arguments: huge)
    func keys(length: UInt64) {
        let rest = withUnsafeBytes(of: length.littleEndian) { Array($0) } + [UInt8](repeating: 0x6B, count: 40)
        #expect(error(.raw(keyValues: 1, rest)).error == .hostileCount(field: "key length", value: length))
    }

    @Test(
        "GG-2: the counts are held against 13 and 24 bytes each",
        arguments: [
            (0, 0, false), (12, 0, true), (13, 0, false), (23, 1, true), (24, 1, false), (47, 2, true),
        ] as [(Int, UInt64, Bool)])
    func smallestEntries(bytes: Int, tensors: UInt64, isRefused: Bool) {
        let keyValues: UInt64 = tensors == 0 && bytes > 0 ? 1 : 0
        let (error, _) = error(.raw(tensors: tensors, keyValues: keyValues, [UInt8](repeating: 0, count: bytes)))
        let expected: GGUFReaderError =
            tensors > 0
            ? .hostileCount(field: "number of tensors", value: tensors)
            : .hostileCount(field: "number of key-values", value: keyValues)
        #expect(error == (isRefused ? expected : nil))
    }

    @Test("GG-2: a length that the file could hold elsewhere means that it was cut off")
    func cutOff() {
        let builder = GGUFBuilder().adding("filler", .bytes([UInt8](repeating: 1, count: 200)))
        let string = builder.adding("a", .hugeString(length: 100, payload: [1, 2, 3]))
        let array = builder.adding("a", .hugeArray(type: 0, count: 100, payload: [1, 2, 3]))
        #expect(error(string).error == .truncated(offset: UInt64(string.bytes().count - 3)))
        #expect(error(array).error == .truncated(offset: UInt64(array.bytes().count - 3)))
    }

    @Test("GG-2 F02: a tensor name length", arguments: huge)
    func tensorNames(length: UInt64) {
        let rest = withUnsafeBytes(of: length.littleEndian) { Array($0) } + [UInt8](repeating: 0x6E, count: 40)
        let builder = GGUFBuilder.raw(tensors: 1, rest)
        #expect(
            readerError { () throws(GGUFReaderError) in try builder.check() }
                == .hostileCount(field: "tensor name length", value: length))
    }
}
