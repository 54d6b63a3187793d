import CarbocationLocalLLM
import TestSupport
import Testing

@Suite("HarmonyReader: streaming")
struct HarmonyReaderStreamingTests {
    @Test("SM-6, EV-8: text comes as soon as it is certain, headers and messages to tools never do")
    func holding() {
        var reader = HarmonyReader(promptTail: "<|start|>assistant")
        let pieces = [
            "<|channel|>", "analysis", "<|message|>", "\n", "a <", "b ", "<|end|>", "<|start|>", "assistant",
            "<|channel|>", "commentary", " to=functions.f", "<|message|>", "{\"a\":", "1}", "<|call|>",
        ]
        let expected: [[PhaseOutput]] = [
            [], [], [.entered(.thinking)], [], [.text("a")], [.text(" <b")], [.segmentEnd, .entered(.unknown)], [], [],
            [], [], [], [], [], [],
        ]
        #expect(pieces.dropLast().map { reader.push($0) } == expected)
        let raw = "<|start|>assistant<|channel|>commentary to=functions.f<|message|>{\"a\":1}<|call|>"
        #expect(
            reader.push("<|call|>") == [
                .message(
                    HarmonyMessage(
                        recipient: "functions.f", body: "{\"a\":1}", isComplete: true, phase: .final, raw: raw))
            ])
        #expect(reader.finish() == [])
    }

    @Test("EV-8: text without a header is not held")
    func bareText() {
        var reader = HarmonyReader()
        #expect(reader.push("{") == [.entered(.final), .text("{")])
        #expect(reader.push("}\n") == [.text("}\n")])
    }

    @Test("SM-5: awaited markers are no stops")
    func awaitedMarkers() {
        var reader = HarmonyReader()
        #expect(reader.awaitedMarkers.contains("<|channel|>"))
        _ = reader.push("<|channel|>analysis<|message|>a")
        #expect(reader.awaitedMarkers.contains("<|end|>"))
        #expect(!reader.awaitedMarkers.contains("<|return|>"))
        _ = reader.push("<|end|><|start|>assistant<|channel|>final<|message|>x")
        #expect(reader.awaitedMarkers == [])
    }

    /// Reads tokens, announcing those that are markers.
    private static func read(_ tokens: [String]) -> PhaseTranscript {
        var reader = HarmonyReader(tokenMarkers: Set(HarmonyReader.markers))
        var offset = 0
        var outputs: [PhaseOutput] = []
        for token in tokens {
            if HarmonyReader.markers.contains(token) { reader.announce(marker: token, at: offset) }
            offset += token.utf8.count
            outputs += reader.push(token)
        }
        return PhaseTranscript(outputs + reader.finish())
    }

    @Test("K04, TH-2: spelled-out markers are text when markers are tokens")
    func tokens() {
        let transcript = Self.read([
            "<|channel|>", "analysis", "<|message|>", "the <|", "end|> and <|start", "|>assistant tokens", "<|end|>",
            "<|start|>", "assistant", "<|channel|>", "commentary", " to=functions.f", "<|message|>", "{\"a\":\"<|",
            "call|>", "<|call|>", "<|start|>", "user", "<|message|>", "x",
        ])
        #expect(transcript.thinking == "the <|end|> and <|start|>assistant tokens")
        #expect(transcript.messages.map(\.body) == ["{\"a\":\"<|call|>"])
        #expect(transcript.final == "x")
    }

    @Test("TH-2: a message without an end, as tokens")
    func missingEnd() {
        let transcript = Self.read([
            "<|channel|>", "analysis", "<|message|>", "a", "<|channel|>", "final", "<|message|>", "4", "<|return|>",
        ])
        #expect(transcript.thinking == "a")
        #expect(transcript.final == "4")
    }

    @Test(
        "S11, SM-6: the work grows with the length, not with its square",
        arguments: [
            "<|channel|>commentary to=functions.f<|message|>{\"t\":\"" + String(repeating: "x", count: 40_000) + "\"}",
            "<|channel|>commentary to=functions.f<|message|>{\"t\":\"" + String(repeating: "<|call|>", count: 2_000),
            String(repeating: "<|channel|>commentary to=f<|message|>{\\\"a<|end|>", count: 500),
            "<|channel|>analysis<|message|>" + String(repeating: "<|end", count: 4_000),
            "<|channel|>analysis<|message|>" + String(repeating: " \n", count: 10_000),
            " to=" + String(repeating: "x", count: 20_000),
            String(repeating: "<|channel|>analysis", count: 1_000),
            String(repeating: "<|start|>assistant<|channel|>final<|message|>a<|end|>", count: 500),
        ])
    func linearWork(text: String) {
        for pieces in [[text], text.map(String.init)] {
            var reader = HarmonyReader()
            for piece in pieces { _ = reader.push(piece) }
            _ = reader.finish()
            #expect(reader.steps <= 5 * (text.utf8.count + 100))
        }
    }
}
