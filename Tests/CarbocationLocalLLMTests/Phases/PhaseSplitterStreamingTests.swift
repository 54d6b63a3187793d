import CarbocationLocalLLM
import TestSupport
import Testing

@Suite("PhaseSplitter: streaming")
struct PhaseSplitterStreamingTests {
    /// The outputs of each push and of the end.
    private static func outputs(
        _ pieces: [String], _ profile: OutputSanitizationProfile, _ start: StartPhase = .unknown
    ) -> [[PhaseOutput]] {
        var splitter = PhaseSplitter(profile: profile, start: start)
        return pieces.map { splitter.push($0) } + [splitter.finish()]
    }

    @Test("SM-6, EV-8: held is only what may still become a marker, and white space next to one")
    func holding() {
        #expect(
            Self.outputs(["<th", "ink>\n", "a ", " b<", "/x</", "think>", "\n", "c <th", "ink>"], .think) == [
                [], [.entered(.thinking)], [.text("a")], [.text("  b")], [.text("</x")],
                [.segmentEnd, .entered(.final)], [], [.text("c <th")], [.text("ink>")], [],
            ])
    }

    @Test("EV-8: in the answer nothing is held but the start of a scrub token")
    func holdingInTheAnswer() {
        let profile = OutputSanitizationProfile(scrubTokens: ["<|end|>"])
        #expect(
            Self.outputs([" ", "a <", "|x", "<|end|", ">b"], profile, .final(followsMarker: false)) == [
                [.entered(.final), .text(" ")], [.text("a ")], [.text("<|x")], [], [.text("b")], [],
            ])
        #expect(
            Self.outputs(["\n", "<", "é"], .empty, .final(followsMarker: false)) == [
                [.entered(.final), .text("\n")], [.text("<")], [.text("é")], [],
            ])
    }

    @Test("TH-3: the start phase is announced first, also when nothing follows")
    func startPhase() {
        #expect(Self.outputs([""], .think, .thinking(nil)) == [[.entered(.thinking)], []])
        #expect(Self.outputs([], .think, .final(followsMarker: true)) == [[.entered(.final)]])
        #expect(Self.outputs([], .think) == [[]])
        #expect(
            Self.outputs(["<|channel|>final<|message|>4"], .harmony, .thinking(nil)) == [
                [.entered(.thinking), .segmentEnd, .entered(.final), .text("4")], [],
            ])
        #expect(Self.outputs(["<think>"], .think) == [[.entered(.thinking)], []])
    }

    @Test("SM-5: awaited are the closers and final markers that may come next")
    func awaitedMarkers() {
        var splitter = PhaseSplitter(profile: .solar, start: .unknown)
        #expect(splitter.awaitedMarkers == ["<|content|>"])
        _ = splitter.push("<|think|>a")
        #expect(Set(splitter.awaitedMarkers) == ["<|end|>", "<|content|>"])
        _ = splitter.push("<|end|>")
        #expect(splitter.awaitedMarkers == ["<|content|>"])
        _ = splitter.push("<|content|>x")
        #expect(splitter.awaitedMarkers == [])
        splitter = PhaseSplitter(profile: .think, start: .unknown)
        #expect(splitter.awaitedMarkers == [])
        splitter = PhaseSplitter(profile: .harmony, start: .unknown)
        #expect(splitter.awaitedMarkers == ["<|channel|>final<|message|>"])
    }

    @Test("S12: what a stop sequence gives back goes through the splitter")
    func stopsBeforeThePhases() {
        let tokens = ["<think>plan", "</think>"]
        var stage = GeneratedTextStage(stops: ["</think>ZZ"])
        let pieces = tokens.map { stage.push(text: $0) } + [stage.finish()]
        let transcript = PhaseTranscript.reading(pieces, with: PhaseSplitter(profile: .think, start: .unknown))
        #expect(transcript.thinking == "plan")
        #expect(transcript.final == "")
    }

    @Test(
        "S11, SM-6: the work grows with the length, not with its square",
        arguments: [
            (String(repeating: "word <", count: 4_000), "<think>"),
            (String(repeating: " ", count: 20_000), "<think>"),
            (String(repeating: "</thin", count: 4_000), "<think>"),
            (String(repeating: "<think>x</think> ", count: 1_500), ""),
            (String(repeating: "<|end|>", count: 3_000), "<|content|>"),
            (String(repeating: " ", count: 20_000) + "x", ""),
        ])
    func linearWork(text: String, prefix: String) {
        let profile = prefix == "<|content|>" ? OutputSanitizationProfile.solar : .think
        for pieces in [[prefix + text], (prefix + text).map(String.init)] {
            var splitter = PhaseSplitter(profile: profile, start: .unknown)
            var length = 0
            for piece in pieces { length += splitter.push(piece).count }
            length += splitter.finish().count
            #expect(splitter.steps <= 4 * (text.utf8.count + 100))
            #expect(length <= 2 * text.utf8.count + 100)
        }
    }

    @Test("SM-6: long markers that nearly match cost their length, not the output's")
    func longMarkers() {
        let closer = String(repeating: "ab", count: 500) + "c"
        var splitter = PhaseSplitter(profile: .pair("<t>", closer), start: .unknown)
        let text = "<t>" + String(repeating: "ab", count: 20_000)
        for piece in text.map(String.init) { _ = splitter.push(piece) }
        _ = splitter.finish()
        #expect(splitter.steps <= 4 * text.utf8.count)
    }
}
