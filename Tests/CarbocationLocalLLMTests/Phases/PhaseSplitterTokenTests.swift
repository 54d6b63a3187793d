import CarbocationLocalLLM
import TestSupport
import Testing

@Suite("PhaseSplitter: marker tokens")
struct PhaseSplitterTokenTests {
    private static let quoting = "<think>the block ends with `</think>` so strip it.\n</think>\n\nok"

    /// Reads tokens, announcing those that are markers; `skew` falsifies the offset.
    private static func read(
        _ tokens: [String], markers: Set<String> = ["<think>", "</think>"], profile: OutputSanitizationProfile = .think,
        start: StartPhase = .unknown, skew: Int = 0
    ) -> PhaseTranscript {
        var splitter = PhaseSplitter(profile: profile, start: start, tokenMarkers: markers)
        var offset = 0
        var outputs: [PhaseOutput] = []
        for token in tokens {
            if markers.contains(token) { splitter.announce(marker: token, at: offset + skew) }
            offset += token.utf8.count
            outputs += splitter.push(token)
        }
        return PhaseTranscript(outputs + splitter.finish())
    }

    @Test("K04, TH-2: a quoted closer is text when the closer is a token", arguments: [-3, 0, 3])
    func quotedCloser(skew: Int) {
        let tokens = ["<think>", "the block ends with `", "</", "think", ">` so strip it.\n", "</think>", "\n\nok"]
        let transcript = Self.read(tokens, skew: skew)
        #expect(transcript.thinking == "the block ends with `</think>` so strip it.")
        #expect(transcript.final == "ok")
        let spelled = tokens.flatMap { $0.hasPrefix("<") && $0.hasSuffix(">") ? [$0] : $0.map(String.init) }
        #expect(Self.read(spelled, skew: skew) == transcript)
    }

    @Test("K04: in text alone the first closer ends thinking, and nothing is lost")
    func textAlone() {
        let splitter = PhaseSplitter(profile: .think, start: .unknown)
        for pieces in Self.quoting.pieces {
            let transcript = PhaseTranscript.reading(pieces, with: splitter)
            #expect(transcript.thinking == "the block ends with `")
            #expect(transcript.final == "` so strip it.\n</think>\n\nok")
        }
    }

    @Test("TH-2: a spelled-out opener is text when the opener is a token")
    func spelledOpener() {
        #expect(Self.read(["<th", "ink>", "a"]).final == "<think>a")
        #expect(Self.read([" ", "<think>", "a"]).thinking == "a")
        #expect(Self.read(["<think>", "a", "</think>", "b", "</think>", "<think>"]).final == "b</think><think>")
    }

    @Test("TH-2: markers that are tokens and markers that are not go together")
    func mixedMarkers() {
        let profile = OutputSanitizationProfile(
            thinkingPairs: [OutputDelimiterPair(open: "<|channel|>thought", close: "<|channel|>")],
            sliceAfterMarker: "<|channel|>final<|message|>")
        let tokens: Set<String> = ["<|channel|>"]
        let cut = Self.read(
            ["<|channel|>", "thought", "a", "<|chan", "nel|>", "b", "<|channel|>", "x"], markers: tokens,
            profile: profile)
        #expect(cut.thinking == "a<|channel|>b")
        #expect(cut.final == "x")
        let marked = Self.read(
            ["<|channel|>", "thought", "a", "<|channel|>", "final", "<|message|>", "x"], markers: tokens,
            profile: profile)
        #expect(marked.thinking == "a")
        #expect(marked.final == "x")
        #expect(marked.entered == [.thinking, .final])
    }

    @Test("TH-2: an announcement holds for one token, also when its text comes late")
    func lateText() {
        var splitter = PhaseSplitter(profile: .think, start: .thinking(nil), tokenMarkers: ["</think>"])
        var outputs = splitter.push("ab")
        splitter.announce(marker: "</think>", at: 5)
        // A stage before the splitter held "cde" and the marker.
        outputs += splitter.push("cd")
        outputs += splitter.push("e</th")
        outputs += splitter.push("ink></think>x")
        let transcript = PhaseTranscript(outputs + splitter.finish())
        #expect(transcript.thinking == "abcde")
        #expect(transcript.final == "</think>x")
    }

    @Test("TH-2: announcements of a whole reply may come before its text")
    func announcedAhead() {
        var splitter = PhaseSplitter(profile: .think, start: .unknown, tokenMarkers: ["<think>", "</think>"])
        let text = "<think>a</think>\n<think>b</think>c</think>"
        for (marker, offset) in [("<think>", 0), ("</think>", 8), ("<think>", 17), ("</think>", 25)] {
            splitter.announce(marker: marker, at: offset)
        }
        for pieces in text.pieces {
            let transcript = PhaseTranscript.reading(pieces, with: splitter)
            #expect(transcript.thinking == "a\nb")
            #expect(transcript.final == "c</think>")
        }
    }

    @Test("EV-8: what cannot be the announced token is not held")
    func nothingHeld() {
        var splitter = PhaseSplitter(profile: .think, start: .thinking(nil), tokenMarkers: ["<think>", "</think>"])
        #expect(splitter.push("a </") == [.entered(.thinking), .text("a </")])
        #expect(splitter.push("think>") == [.text("think>")])
        splitter.announce(marker: "</think>", at: 10)
        #expect(splitter.push("</th") == [])
        #expect(splitter.push("ink>") == [.segmentEnd, .entered(.final)])
    }

    @Test("TH-1: scrub tokens that are tokens are deleted only where they were sampled")
    func scrubTokens() {
        let transcript = Self.read(
            ["a `", "<|", "end|>", "`", "<|end|>"], markers: ["<|end|>"],
            profile: OutputSanitizationProfile(scrubTokens: ["<|end|>"]), start: .final(followsMarker: false))
        #expect(transcript.final == "a `<|end|>`")
    }
}
