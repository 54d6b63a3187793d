import Testing

@testable import CarbocationLocalLLM

@Suite("UTF8Sequence")
struct UTF8SequenceTests {
    @Test(
        "finds the first byte that belongs to no whole character",
        arguments: [
            ([], nil),
            (Array("aé€😀".utf8), nil),
            ([0x61, 0x80], 1),
            ([0x61, 0xC3], 1),
            ([0xC3, 0x28], 0),
            ([0x61, 0xED, 0xA0, 0x80], 1),
            ([0xF4, 0x8F, 0xBF, 0xBF, 0xF4, 0x90, 0x80, 0x80], 4),
            ([0xE2, 0x82, 0x41], 0),
            ([0xF0, 0x9F, 0x98], 0),
            ([0xC0, 0x80], 0),
        ] as [([UInt8], Int?)])
    func firstInvalidOffset(bytes: [UInt8], expected: Int?) {
        #expect(bytes.withUnsafeBufferPointer { UTF8Sequence.firstInvalidOffset(in: $0) } == expected)
    }

    @Test("agrees with the standard library on every sequence of up to three bytes that starts a character")
    func agreesWithStandardLibrary() {
        let edges: [UInt8] = [0x00, 0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC2, 0xFF]
        var mistakes: [[UInt8]] = []
        for lead in UInt8.min...UInt8.max {
            for second in edges {
                for third in edges {
                    let bytes = [lead, second, third]
                    let isValid = Array(String(decoding: bytes, as: UTF8.self).utf8) == bytes
                    let offset = bytes.withUnsafeBufferPointer { UTF8Sequence.firstInvalidOffset(in: $0) }
                    if (offset == nil) != isValid { mistakes.append(bytes) }
                }
            }
        }
        #expect(mistakes == [])
    }

    @Test(
        "the incomplete tail is what may still become a character",
        arguments: [
            ([], 0), ([0x41], 0), ([0xC3], 1), ([0xC3, 0xA9], 0), ([0xE2, 0x82], 2), ([0xF0, 0x9F, 0x98], 3),
            ([0xED, 0xA0], 0), ([0xED, 0x9F], 2), ([0xF4, 0x90], 0), ([0xC1], 0), ([0x80, 0x80, 0x80], 0),
            ([0xF0, 0x9F, 0x98, 0x80], 0), ([0xF0, 0x80, 0x80], 0), ([0xF5], 0),
        ] as [([UInt8], Int)])
    func incompleteTail(bytes: [UInt8], expected: Int) {
        #expect(UTF8Sequence.incompleteTailLength(of: bytes) == expected)
    }
}
