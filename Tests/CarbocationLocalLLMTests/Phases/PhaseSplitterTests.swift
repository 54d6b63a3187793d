import CarbocationLocalLLM
import TestSupport
import Testing

private let promptOpen = StartPhase.thinking(OutputDelimiterPair(open: "<think>", close: "</think>"))
private let promptClosed = StartPhase.final(followsMarker: true)

@Suite("PhaseSplitter")
struct PhaseSplitterTests {
    /// Reads a case in every way to cut it.
    private static func check(_ test: PhaseCase, sourceLocation: SourceLocation = #_sourceLocation) {
        let splitter = PhaseSplitter(profile: test.profile, start: test.start)
        let whole = PhaseTranscript.reading([test.output], with: splitter)
        #expect(whole.thinking == test.thinking, sourceLocation: sourceLocation)
        #expect(whole.final == test.final, sourceLocation: sourceLocation)
        #expect(whole.unknown == "", sourceLocation: sourceLocation)
        for pieces in test.output.pieces {
            #expect(
                PhaseTranscript.reading(pieces, with: splitter) == whole, "\(pieces)", sourceLocation: sourceLocation)
            var running = splitter
            for piece in pieces { _ = running.push(piece) }
            #expect(running.phase == test.phase, "\(pieces)", sourceLocation: sourceLocation)
        }
    }

    @Test(
        "TH-3, TH-4: phase and split by what was output so far",
        arguments: [
            PhaseCase("", phase: .unknown),
            PhaseCase("<thi", final: "<thi", phase: .unknown),
            PhaseCase(" \n<thi", final: " \n<thi", phase: .unknown),
            PhaseCase("<think>draft", thinking: "draft", phase: .thinking),
            PhaseCase("<think>draft</think>", thinking: "draft", phase: .final),
            PhaseCase("\n <think> \ndraft\n </think>", thinking: "draft", phase: .final),
            PhaseCase(
                "The literal <think> tag can be discussed safely.",
                final: "The literal <think> tag can be discussed safely.", phase: .final),
            PhaseCase("Use `<think>x</think>` in XML.", final: "Use `<think>x</think>` in XML.", phase: .final),
            PhaseCase("</think> final", final: "</think> final", phase: .final),
            PhaseCase("<think\nplan", final: "<think\nplan", phase: .final),
            PhaseCase("\n\n", final: "\n\n", phase: .unknown),
            PhaseCase("\n  code\n", final: "\n  code\n", phase: .final),
            PhaseCase("<think>a  b\n\nc</think>d  e\n\n", thinking: "a  b\n\nc", final: "d  e\n\n", phase: .final),
            PhaseCase(
                "<think>a <think> b</think>c</think>", thinking: "a <think> b", final: "c</think>", phase: .final),
            PhaseCase("<think>a</think\n</think>b", thinking: "a</think", final: "b", phase: .final),
            PhaseCase("<think></</</think></</think>", thinking: "</</", final: "</</think>", phase: .final),
            PhaseCase("<think>\u{3000}é\u{A0}</think>\u{2003}ü", thinking: "é", final: "ü", phase: .final),
            PhaseCase("<think>a</think>\u{301}b", thinking: "a", final: "\u{301}b", phase: .final),
        ])
    func segments(test: PhaseCase) { Self.check(test) }

    @Test(
        "K02, K03, TH-3: the prompt has begun the output's first segment",
        arguments: [
            PhaseCase("", start: promptOpen, phase: .thinking),
            PhaseCase("draft notes", start: promptOpen, thinking: "draft notes", phase: .thinking),
            PhaseCase("plan\n</think>\n\n4", start: promptOpen, thinking: "plan", final: "4", phase: .final),
            PhaseCase("\nplan</think>4", start: promptOpen, thinking: "plan", final: "4", phase: .final),
            PhaseCase("still going", start: promptOpen, thinking: "still going", phase: .thinking),
            PhaseCase("still going \n", start: promptOpen, thinking: "still going \n", phase: .thinking),
            PhaseCase("</think>4", start: promptOpen, final: "4", phase: .final),
            PhaseCase("\n</think>\n\n4", start: promptOpen, final: "4", phase: .final),
            PhaseCase("<think>\nplan</think>4", start: promptOpen, thinking: "plan", final: "4", phase: .final),
            PhaseCase("<thi", start: promptOpen, thinking: "<thi", phase: .thinking),
            PhaseCase("a</think><think>b</think>c", start: promptOpen, thinking: "a\nb", final: "c", phase: .final),
            PhaseCase("plan</think>4", start: .thinking(nil), thinking: "plan", final: "4", phase: .final),
            PhaseCase("", start: promptClosed, phase: .final),
            PhaseCase("4", start: promptClosed, final: "4", phase: .final),
            PhaseCase("\n\n4", start: promptClosed, final: "4", phase: .final),
            PhaseCase("</think>4", start: promptClosed, final: "</think>4", phase: .final),
            PhaseCase("<think>again</think>4", start: promptClosed, thinking: "again", final: "4", phase: .final),
            PhaseCase("\n\n4", start: .final(followsMarker: false), final: "\n\n4", phase: .final),
        ])
    func promptStarts(test: PhaseCase) { Self.check(test) }

    @Test(
        "K05, K07, K08: blocks in a row, empty ones, and what follows the last",
        arguments: [
            PhaseCase(
                "<think>p</think>Use `<think>like this</think>` in XML.", thinking: "p",
                final: "Use `<think>like this</think>` in XML.", phase: .final),
            PhaseCase("<think>x</think>\n\n", thinking: "x", phase: .final),
            PhaseCase("<think>x</think>\n\n\n", thinking: "x", phase: .final),
            PhaseCase("<think>a</think><think>b</think>c", thinking: "a\nb", final: "c", phase: .final),
            PhaseCase("<think>a</think>\n\n<think>\nb</think>\nc", thinking: "a\nb", final: "c", phase: .final),
            PhaseCase("<think></think><think>b</think>c", thinking: "b", final: "c", phase: .final),
            PhaseCase("<think>\n</think>\n<think>b</think>c", thinking: "b", final: "c", phase: .final),
            PhaseCase("<think></think>", phase: .final),
            PhaseCase("<think>a</think><thi", thinking: "a", final: "<thi", phase: .final),
            PhaseCase("<think>a</think>x<think>b</think>", thinking: "a", final: "x<think>b</think>", phase: .final),
            // As one chunk the envelope would follow at once; it is the tools' to read.
            PhaseCase(
                "<think>p</think>\n<tool_call>{\"name\":\"now\"}</tool_call>", thinking: "p",
                final: "<tool_call>{\"name\":\"now\"}</tool_call>", phase: .final),
        ])
    func blocks(test: PhaseCase) { Self.check(test) }

    @Test("K08: two blocks are two segments of thinking")
    func blockSegments() {
        let splitter = PhaseSplitter(profile: .think, start: .unknown)
        for pieces in "<think>a</think><think>b</think>c".pieces {
            let transcript = PhaseTranscript.reading(pieces, with: splitter)
            #expect(transcript.segments.map(\.text) == ["a", "b", "c"])
            #expect(transcript.entered == [.thinking, .final, .thinking, .final])
        }
    }

    @Test(
        "S08, S12: what is held at the end keeps its phase",
        arguments: [
            PhaseCase("2 <", final: "2 <", phase: .final),
            PhaseCase("<think>half </th", thinking: "half </th", phase: .thinking),
            PhaseCase("<think>plan</think>", thinking: "plan", phase: .final),
            PhaseCase("<", final: "<", phase: .unknown),
            PhaseCase("<think>a</think>2 <", thinking: "a", final: "2 <", phase: .final),
            PhaseCase(
                "private notes<|channel|>fin", .harmony, thinking: "private notes<|channel|>fin",
                phase: .thinking),
            PhaseCase("x<|return|", .harmony, start: promptClosed, final: "x<|return|", phase: .final),
        ])
    func heldEnds(test: PhaseCase) { Self.check(test) }

    @Test(
        "TH-1, TH-4: final markers begin the answer",
        arguments: [
            PhaseCase("", .harmony, phase: .unknown),
            PhaseCase("analysis", .harmony, thinking: "analysis", phase: .thinking),
            PhaseCase(
                "notes<|channel|>final<|message|>{\"ok\":true}", .harmony, thinking: "notes",
                final: "{\"ok\":true}", phase: .final),
            PhaseCase(
                "notes \n<|channel|>final<|message|>\n 4\n<|return|>", .harmony, thinking: "notes",
                final: "4\n", phase: .final),
            PhaseCase("<|channel|>final<|message|>4", .harmony, final: "4", phase: .final),
            PhaseCase("<|channel|>fin", .harmony, thinking: "<|channel|>fin", phase: .unknown),
            PhaseCase(
                "a<|channel|>final<|message|>b<|channel|>final<|message|>c", .harmony, thinking: "a",
                final: "b<|channel|>final<|message|>c", phase: .final),
            PhaseCase("answer", .harmony, start: .final(followsMarker: false), final: "answer", phase: .final),
            PhaseCase(
                "steps\n[BEGIN FINAL RESPONSE]\n4\n[END FINAL RESPONSE]",
                OutputSanitizationProfile(
                    scrubTokens: ["[END FINAL RESPONSE]"], finalMarkers: ["[BEGIN FINAL RESPONSE]"]),
                thinking: "steps", final: "4\n", phase: .final),
            PhaseCase(
                "draft FINAL: 4", .think.merging(LLMStreamPhaseConfiguration(finalMarkers: ["FINAL:"])),
                start: promptOpen, thinking: "draft", final: "4", phase: .final),
            PhaseCase(
                "<think>draft FINAL: 4</think>",
                .think.merging(LLMStreamPhaseConfiguration(finalMarkers: ["FINAL:"])),
                thinking: "draft", final: "4</think>", phase: .final),
        ])
    func finalMarkers(test: PhaseCase) { Self.check(test) }

    @Test(
        "TH-4: between Solar's blocks the phase is unknown, and its role headers belong to none",
        arguments: [
            PhaseCase("<|think|>a<|end|>", .solar, thinking: "a", phase: .unknown),
            PhaseCase("<|think|>a<|end|><|content|>x<|end|>", .solar, thinking: "a", final: "x", phase: .final),
            PhaseCase("<|content|>x<|end|>", .solar, final: "x", phase: .final),
            PhaseCase(
                "<|think|>a<|end|><|begin|>assistant<|content|>x<|end|>", .solar, thinking: "a", final: "x",
                phase: .final),
            PhaseCase("<|think|>a<|content|>x", .solar, thinking: "a", final: "x", phase: .final),
            PhaseCase(
                "<|think|>a<|end|><|begin|>assistant<|tool_calls|>", .solar, thinking: "a",
                final: "<|tool_calls|>", phase: .final),
            PhaseCase("<|think|>a<|end|><|beg", .solar, thinking: "a", final: "<|beg", phase: .unknown),
            PhaseCase("<|think|>a<|end|>answer", .solar, thinking: "a", final: "answer", phase: .final),
            PhaseCase("answer", .solar, final: "answer", phase: .final),
        ])
    func solar(test: PhaseCase) { Self.check(test) }

    @Test(
        "TH-1: pairs of other families, implicit ones and several closers",
        arguments: [
            PhaseCase("<|channel>thought\nplan\n<channel|>4", .gemma, thinking: "plan", final: "4", phase: .final),
            PhaseCase("<|channel>thought", .gemma, phase: .thinking),
            PhaseCase("<|channel>tho", .gemma, final: "<|channel>tho", phase: .unknown),
            PhaseCase(
                "plan<channel|>4", .pair("", "<channel|>"),
                start: .thinking(OutputDelimiterPair(open: "", close: "<channel|>")), thinking: "plan", final: "4",
                phase: .final),
            PhaseCase("plan<channel|>4", .pair("", "<channel|>"), final: "plan<channel|>4", phase: .final),
            PhaseCase(
                "<|channel|>thought plan<|channel|>4",
                OutputSanitizationProfile(
                    thinkingPairs: [OutputDelimiterPair(open: "<|channel|>thought", close: "<|channel|>")],
                    sliceAfterMarker: "<|channel|>final<|message|>"),
                thinking: "plan", final: "4", phase: .final),
            PhaseCase(
                "<|channel|>thought plan<|channel|>final<|message|>4",
                OutputSanitizationProfile(
                    thinkingPairs: [OutputDelimiterPair(open: "<|channel|>thought", close: "<|channel|>")],
                    sliceAfterMarker: "<|channel|>final<|message|>"),
                thinking: "plan", final: "4", phase: .final),
            PhaseCase(
                "<a>x</b>y",
                OutputSanitizationProfile(thinkingPairs: [
                    OutputDelimiterPair(open: "<a>", close: "</a>"), OutputDelimiterPair(open: "<a>", close: "</b>"),
                ]), thinking: "x", final: "y", phase: .final),
            PhaseCase(
                "<a>x</c>y</a>z",
                OutputSanitizationProfile(thinkingPairs: [
                    OutputDelimiterPair(open: "<a>", close: "</a>"), OutputDelimiterPair(open: "<c>", close: "</c>"),
                ]), thinking: "x</c>y", final: "z", phase: .final),
            PhaseCase(
                "x</c>z",
                OutputSanitizationProfile(thinkingPairs: [
                    OutputDelimiterPair(open: "<a>", close: "</a>"), OutputDelimiterPair(open: "<c>", close: "</c>"),
                ]), start: .thinking(nil), thinking: "x", final: "z", phase: .final),
            PhaseCase(
                "<t><t2>x</t>y",
                OutputSanitizationProfile(thinkingPairs: [
                    OutputDelimiterPair(open: "<t>", close: "</t>"),
                    OutputDelimiterPair(open: "<t><t2>", close: "</t>"),
                ]), thinking: "x", final: "y", phase: .final),
            PhaseCase("***x***y", .pair("***", "***"), thinking: "x", final: "y", phase: .final),
            PhaseCase("<think>x", .pair("<think>", ""), final: "<think>x", phase: .final),
            PhaseCase(
                "anything <think>", .empty, start: .final(followsMarker: false), final: "anything <think>",
                phase: .final),
        ])
    func otherMarkers(test: PhaseCase) { Self.check(test) }

    @Test("TH-4: markers with white space of their own")
    func markersWithWhiteSpace() {
        let splitter = PhaseSplitter(profile: .pair("\n<think>\n", "\n</think>\n"), start: .unknown)
        for pieces in "<think>\nplan\n</think>\n4".pieces {
            let transcript = PhaseTranscript.reading(pieces, with: splitter)
            #expect(transcript.thinking == "plan")
            #expect(transcript.final == "4")
        }
    }
}
