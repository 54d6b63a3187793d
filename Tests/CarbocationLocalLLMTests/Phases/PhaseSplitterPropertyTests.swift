import CarbocationLocalLLM
import TestSupport
import Testing

@Suite("PhaseSplitter: properties")
struct PhaseSplitterPropertyTests {
    private static let profiles: [OutputSanitizationProfile] = [
        .pair("<a>", "</a>"),
        .pair("aa", "aab"),
        OutputSanitizationProfile(thinkingPairs: [
            OutputDelimiterPair(open: "<a>", close: "</a>"), OutputDelimiterPair(open: "<a", close: "a>"),
        ]),
        OutputSanitizationProfile(scrubTokens: ["<a>", "aa", "<"], finalMarkers: ["</a>"]),
        OutputSanitizationProfile(
            thinkingPairs: [OutputDelimiterPair(open: "<a>", close: "</")], scrubTokens: ["a>", "</a"],
            finalMarkers: ["</a>a", "b"]),
    ]

    /// Text of few letters and parts of markers, the same for the same seed.
    private static func text(seed: Int) -> String {
        var state = UInt64(seed) &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        let parts = ["<a>", "</a>", "<", "</", "a", ">", " ", "\n", "b", "aab", "é"]
        return (0..<14).map { _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return parts[Int((state >> 33) % UInt64(parts.count))]
        }.joined()
    }

    @Test("TH-2, TH-4: however output is cut, it is split as the rules say", arguments: profiles)
    func againstReference(profile: OutputSanitizationProfile) {
        let splitter = PhaseSplitter(profile: profile, start: .unknown)
        for seed in 0..<50 {
            let text = Self.text(seed: seed)
            let expected = PhaseSplitterReference(text, profile: profile)
            let whole = PhaseTranscript.reading([text], with: splitter)
            let thinking = expected.thinking.filter { !$0.isEmpty }.joined(separator: "\n")
            guard whole.thinking == thinking, whole.final == expected.final, whole.unknown == "" else {
                Issue.record("\(text.debugDescription): \(whole), not \(expected.thinking) \(expected.final)")
                continue
            }
            let wrong = text.pieces.first { PhaseTranscript.reading($0, with: splitter) != whole }
            #expect(wrong == nil, "\(text.debugDescription)")
        }
    }

    @Test("TH-2: with announcements at every place of a marker, tokens and text are split alike", arguments: profiles)
    func announcedLikeText(profile: OutputSanitizationProfile) {
        let byText = PhaseSplitter(profile: profile, start: .unknown)
        for seed in 0..<20 {
            let text = Self.text(seed: seed)
            var byToken = PhaseSplitter(profile: profile, start: .unknown, tokenMarkers: Set(profile.markers))
            let bytes = Array(text.utf8)
            for offset in bytes.indices {
                for marker in profile.markers where bytes[offset...].starts(with: marker.utf8) {
                    byToken.announce(marker: marker, at: offset)
                }
            }
            let expected = PhaseTranscript.reading([text], with: byText)
            let wrong = text.pieces.first { PhaseTranscript.reading($0, with: byToken) != expected }
            #expect(wrong == nil, "\(text.debugDescription)")
        }
    }
}
