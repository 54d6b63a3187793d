import CarbocationLocalLLM
import Testing

@Suite("StartPhase")
struct StartPhaseTests {
    private static let thinkPair = OutputDelimiterPair(open: "<think>", close: "</think>")

    @Test(
        "K02, K03, TH-3: the prompt's own last text decides",
        arguments: [
            ("<|im_start|>assistant\n<think>\n", StartPhase.thinking(thinkPair)),
            ("<|Assistant|><think>", .thinking(thinkPair)),
            ("<|im_start|>assistant\n<think>\n\n</think>\n\n", .final(followsMarker: true)),
            // Some templates write the closer alone.
            ("<|Assistant|></think>", .final(followsMarker: true)),
            ("<|im_start|>assistant\n", .unknown),
            ("", .unknown),
            ("Think within <think></think>, then answer.\nassistant:", .unknown),
            ("<think>\nOkay, ", .unknown),
            ("think>", .unknown),
        ])
    func prompts(tail: String, expected: StartPhase) {
        #expect(StartPhase(promptTail: tail, profile: .think, startsInThinking: nil) == expected)
    }

    @Test("TH-3: without markers all output is the answer")
    func noMarkers() {
        let plain = OutputSanitizationProfile(extraStopStrings: ["x"], scrubTokens: ["<|end|>"])
        for profile in [plain, .empty, .pair("<think>", ""), OutputSanitizationProfile(finalMarkers: [" "])] {
            let start = StartPhase(promptTail: "<think>", profile: profile, startsInThinking: nil)
            #expect(start == .final(followsMarker: false))
        }
    }

    @Test("GO-3, TH-3: the request's word outweighs the prompt")
    func requestDecides() {
        func start(_ tail: String, _ value: Bool, _ profile: OutputSanitizationProfile = .think) -> StartPhase {
            StartPhase(promptTail: tail, profile: profile, startsInThinking: value)
        }
        #expect(start("<think>", true) == .thinking(Self.thinkPair))
        #expect(start("assistant", true) == .thinking(nil))
        #expect(start("assistant", true, .empty) == .thinking(nil))
        #expect(start("<think></think>", true) == .thinking(nil))
        #expect(start("<think>", false) == .final(followsMarker: true))
        #expect(start("assistant", false) == .final(followsMarker: false))
        #expect(start("<think></think>", false) == .final(followsMarker: true))
    }

    @Test("TH-3: final markers, implicit pairs and the longest opener")
    func otherMarkers() {
        func start(_ tail: String, _ profile: OutputSanitizationProfile) -> StartPhase {
            StartPhase(promptTail: tail, profile: profile, startsInThinking: nil)
        }
        let implicit = OutputDelimiterPair(open: "", close: "<channel|>")
        #expect(start("assistant", .harmony) == .unknown)
        #expect(start("assistant<|channel|>final<|message|>\n", .harmony) == .final(followsMarker: true))
        #expect(start("<|turn>model\n<|channel>thought\n", .pair("", "<channel|>")) == .thinking(implicit))
        #expect(start("thought\n<channel|>", .pair("", "<channel|>")) == .final(followsMarker: true))
        #expect(start("<|turn>model\n<|channel>thought\n<channel|>", .gemma) == .final(followsMarker: true))
        #expect(start("<|end|><|begin|>assistant", .solar) == .unknown)
        let nested = OutputSanitizationProfile(thinkingPairs: [
            OutputDelimiterPair(open: "k>", close: "</k>"), Self.thinkPair,
        ])
        #expect(start("<think>", nested) == .thinking(Self.thinkPair))
        #expect(start("***", .pair("***", "***")) == .thinking(OutputDelimiterPair(open: "***", close: "***")))
    }

    @Test("TH-3: markers are compared by bytes")
    func bytes() {
        let profile = OutputSanitizationProfile.pair("<\u{E9}>", "</e>")
        #expect(StartPhase(promptTail: "<e\u{301}>", profile: profile, startsInThinking: nil) == .unknown)
    }
}
