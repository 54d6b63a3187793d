import CarbocationLocalLLM
import TestSupport
import Testing

@Suite("UTF8Assembler")
struct UTF8AssemblerTests {
    @Test(
        "SM-7, S01, S03: each push gives the text that is certain by then",
        arguments: [
            ([[0xF0, 0x9F], [0x98, 0x80], [0xC3], [0xA9, 0x21]], ["", "😀", "", "é!"]),
            ([[0x61, 0xF0, 0x9F]], ["a"]),
            ([[0xFF, 0x62]], ["\u{FFFD}b"]),
            ([[0xED, 0xA0, 0xBD]], ["\u{FFFD}\u{FFFD}\u{FFFD}"]),
            ([[0xED], [0xA0], [0xBD]], ["", "\u{FFFD}\u{FFFD}", "\u{FFFD}"]),
            ([[0xC3, 0x28]], ["\u{FFFD}("]),
            ([[0xC3], [0x28]], ["", "\u{FFFD}("]),
            ([[0xF0], [0x9F], [0x92], [0x41]], ["", "", "", "\u{FFFD}A"]),
            ([[0xF4, 0x90]], ["\u{FFFD}\u{FFFD}"]),
            ([[0xC0, 0x80]], ["\u{FFFD}\u{FFFD}"]),
            ([[], [0x41], []], ["", "A", ""]),
        ] as [([[UInt8]], [String])])
    func pushes(tokens: [[UInt8]], expected: [String]) {
        var assembler = UTF8Assembler()
        #expect(tokens.map { assembler.push($0) } == expected)
    }

    @Test(
        "SM-7, S03: an incomplete tail becomes one U+FFFD at the end",
        arguments: [
            [0xC3], [0xE2, 0x82], [0xF0, 0x9F], [0xF0, 0x9F, 0x98],
        ] as [[UInt8]])
    func incompleteTail(bytes: [UInt8]) {
        var assembler = UTF8Assembler()
        #expect(assembler.push([0x61] + bytes) == "a")
        #expect(!assembler.isAtCharacterBoundary)
        #expect(assembler.finish() == "\u{FFFD}")
        #expect(assembler.isAtCharacterBoundary)
        #expect(assembler.finish() == "")
    }

    static let samples: [[UInt8]] = [
        Array("plain, é, €, 😀👩‍👩‍👧 and e\u{301}".utf8),
        [0x61, 0xF0, 0x9F, 0xFF, 0x62, 0xED, 0xA0, 0xBD, 0xC3, 0x28, 0xE2, 0x82, 0xAC, 0xF0],
        [0x80, 0xBF, 0xC0, 0xAF, 0xE0, 0x80, 0x80, 0xF8, 0x88, 0xF4, 0x90, 0x80, 0x80, 0xE1, 0x80, 0xE1, 0x80],
        [0xF0, 0x80, 0x80, 0x41, 0xF1, 0x80, 0x80, 0xE1, 0xBF, 0xF1, 0x80, 0xC2, 0xC2, 0xA9],
    ]

    @Test("SM-7: however the bytes are cut, the text is that of the whole", arguments: samples)
    func everyChunking(bytes: [UInt8]) {
        let expected = String(decoding: bytes, as: UTF8.self)
        #expect(bytes.chunkings().filter { assembled($0.map(Array.init)) != expected } == [])
    }

    @Test("SM-7: the same for random bytes, most of them broken")
    func randomBytes() {
        var state: UInt64 = 1
        for _ in 0..<60 {
            let bytes = (0..<40).map { _ -> UInt8 in
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                // Mostly bytes above ASCII, where the cases are.
                let byte = UInt8(truncatingIfNeeded: state >> 33)
                return state >> 60 == 0 ? byte & 0x7F : byte | 0x80
            }
            let expected = String(decoding: bytes, as: UTF8.self)
            #expect(bytes.chunkings(samples: 4).filter { assembled($0.map(Array.init)) != expected } == [])
        }
    }

    @Test("EV-8: never more than three bytes are held")
    func holdsLittle() {
        var assembler = UTF8Assembler()
        var pushed = 0
        var shown = 0
        for byte in Array("aé€😀".utf8) {
            pushed += 1
            shown += assembler.push([byte]).utf8.count
            #expect(pushed - shown <= 3)
        }
        #expect(shown == pushed)
    }

    private func assembled(_ chunks: [[UInt8]]) -> String {
        var assembler = UTF8Assembler()
        var text = chunks.map { assembler.push($0) }.joined()
        text += assembler.finish()
        return text
    }
}
