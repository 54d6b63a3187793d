import CarbocationLocalLLM
import TestSupport
import Testing

@Suite("GeneratedTextStage")
struct GeneratedTextStageTests {
    @Test(
        "EV-8, S01: without stops each character comes with the token that completed it",
        arguments: [
            ([[0xF0, 0x9F], [0x98, 0x80], [0xC3], [0xA9, 0x21]], ["", "😀", "", "é!"]),
            ([[0x3C], [0x7C]], ["<", "|"]),
        ] as [([[UInt8]], [String])])
    func immediateText(tokens: [[UInt8]], expected: [String]) {
        var stage = GeneratedTextStage(stops: [])
        #expect(tokens.map { stage.push($0) } == expected)
        #expect(stage.finish() == "")
    }

    @Test(
        "SM-5, SM-7, S03, S04, S06, S07, S08: text and stop",
        arguments: [
            (["quick ", "bro", "wn f", "ox jumps"], ["brown fox"], "quick ", "brown fox"),
            (["one ", "END"], ["END\nXX"], "one END", nil),
            (["Mars", "?\n"], ["\n"], "Mars?", "\n"),
            (["ple", "as"], ["<|eot|>assistant"], "pleas", nil),
            (["alpha STOP beta END"], ["END", "STOP"], "alpha ", "STOP"),
            (["2 <"], ["<|eot|>"], "2 <", nil),
            (["p <", " q, <", "note>"], ["<|eot|>"], "p < q, <note>", nil),
            (["a", "STOP"], ["aSTOP"], "", "aSTOP"),
        ] as [([String], [String], String, String?)])
    func textAndStop(tokens: [String], stops: [String], text: String, stop: String?) {
        var stage = GeneratedTextStage(stops: stops)
        var output = tokens.map { stage.push(text: $0) }.joined()
        output += stage.finish()
        #expect(output == text)
        #expect(stage.matchedStop == stop)
    }

    static let samples: [([UInt8], [String])] = [
        (Array("Grüße, €uro und 😀 ENDE".utf8), ["ENDE", "€uro u!"]),
        (Array("aé€😀".utf8) + [0xF0, 0x9F] + Array("STOP".utf8), ["STOP"]),
        ([0x61, 0xE2, 0x82] + Array("€ b".utf8) + [0xC3], ["€ c", "\u{FFFD}"]),
        ([0xFF, 0xEF, 0xBF], ["\u{FFFD}"]),
        ([0xFF, 0xEF, 0xBF, 0xBD, 0x41], ["\u{FFFD}"]),
    ]

    @Test("SM-5, SM-7: however the bytes are cut, text and stop are the same", arguments: samples)
    func everyChunking(bytes: [UInt8], stops: [String]) {
        var filter = StopFilter(stops: stops)
        let kept = filter.push(bytes) + filter.finish()
        let expected = String(decoding: kept, as: UTF8.self)
        for chunks in bytes.chunkings() {
            var stage = GeneratedTextStage(stops: stops)
            var output = chunks.map { stage.push(Array($0)) }.joined()
            output += stage.finish()
            #expect(output == expected)
            #expect(stage.matchedStop == filter.matchedStop)
        }
    }

    @Test("SM-5: a replacement for broken bytes is no stop, the character itself is")
    func replacementCharacterStop() {
        var stage = GeneratedTextStage(stops: ["\u{FFFD}"])
        #expect(stage.push([0xFF, 0x61]) == "\u{FFFD}a")
        #expect(stage.matchedStop == nil)
        #expect(stage.push([0x62, 0xEF, 0xBF]) == "b")
        #expect(stage.push([0xBD]) == "")
        #expect(stage.matchedStop == "\u{FFFD}")
    }

    @Test("SM-7: bytes cut off by a stop are replaced with it, and nothing follows")
    func cutOffByStop() {
        var stage = GeneratedTextStage(stops: ["STOP"])
        #expect(stage.push([0x61, 0xF0, 0x9F]) == "a")
        #expect(stage.push(text: "STOP and more") == "\u{FFFD}")
        #expect(stage.push(text: "more") == "")
        #expect(stage.finish() == "")
    }

    @Test("TH-9: a character boundary is one of all bytes, those held for a stop included")
    func characterBoundary() {
        var stage = GeneratedTextStage(stops: ["é!"])
        #expect(stage.isAtCharacterBoundary)
        _ = stage.push([0xC3])
        #expect(!stage.isAtCharacterBoundary)
        _ = stage.push([0xA9])
        #expect(stage.isAtCharacterBoundary)
        _ = stage.push([0xF0])
        #expect(!stage.isAtCharacterBoundary)
    }
}
