import CarbocationLocalLLM
import Foundation
import TestSupport
import Testing

@Suite("OutputSanitizationProfile")
struct OutputSanitizationProfileTests {
    private static func pairs(_ pairs: [(String, String)]) -> [OutputDelimiterPair] {
        pairs.map { OutputDelimiterPair(open: $0.0, close: $0.1) }
    }

    @Test(
        "TH-1: a pair counts when both ends occur",
        arguments: [
            ("<think>", "</think>"), ("<|channel>thought", "<channel|>"), ("<|channel|>thought", "<|channel|>"),
            ("<|START_THINKING|>", "<|END_THINKING|>"), ("[THINK]", "[/THINK]"), ("<seed:think>", "</seed:think>"),
            ("<|inner_prefix|>", "<|inner_suffix|>"), ("<|think|>", "<|end|>"), ("<thinking>", "</thinking>"),
        ])
    func pairs(open: String, close: String) {
        let profile = OutputSanitizationProfile.derived(fromChatTemplate: "{{ '\(open)' + text + '\(close)' }}")
        #expect(profile.thinkingPairs == Self.pairs([(open, close)]))
        #expect(OutputSanitizationProfile.derived(fromChatTemplate: "{{ '\(close)' }}").thinkingPairs == [])
        #expect(OutputSanitizationProfile.derived(fromChatTemplate: "\(open.dropLast()) \(close)").thinkingPairs == [])
    }

    @Test("TH-1: final markers, the slice marker and scrub tokens")
    func finalMarkers() {
        func derived(_ template: String) -> OutputSanitizationProfile { .derived(fromChatTemplate: template) }
        let harmony = derived("<|start|>assistant<|channel|>final<|message|>x<|return|><|end|>")
        #expect(harmony.finalMarkers == ["<|channel|>final<|message|>"])
        #expect(harmony.sliceAfterMarker == "<|channel|>final<|message|>")
        #expect(harmony.scrubTokens == ["<|return|>", "<|end|>"])
        #expect(harmony.thinkingPairs == [])
        let apriel = derived("<thinking></thinking> [BEGIN FINAL RESPONSE]\n[END FINAL RESPONSE]<|content|>")
        #expect(apriel.finalMarkers == ["[BEGIN FINAL RESPONSE]"])
        #expect(apriel.sliceAfterMarker == nil)
        #expect(apriel.scrubTokens == ["[END FINAL RESPONSE]", "<|content|>"])
        #expect(apriel.thinkingPairs == [])
        let solar = derived("<|begin|>assistant<|think|>x<|end|><|begin|>assistant<|content|>y<|end|>")
        #expect(solar.finalMarkers == ["<|content|>"])
        #expect(solar.thinkingPairs == Self.pairs([("<|think|>", "<|end|>")]))
        #expect(derived("<|content|>").finalMarkers == [])
    }

    @Test(
        "what models put around their answers is no part of them",
        arguments: [
            ("<|START_RESPONSE|>{{ content }}<|END_RESPONSE|>", "<|START_RESPONSE|>Hi<|END_RESPONSE|>", "Hi"),
            ("<|START_TEXT|>{{ content }}<|END_TEXT|>", "<|START_TEXT|>Hi<|END_TEXT|>", "Hi"),
            ("write your response between <response></response>", "<response>Hi</response>", "Hi"),
            ("'<response>' ~ output ~ '</response>'", "<response>Hi</response>", "<response>Hi</response>"),
            (
                "<|open|>' + tag + '<|sep|> <|close|>' + tag + '<|sep|>",
                "<|open|>response<|sep|>Hi<|close|>response<|sep|><|close|>message<|sep|>", "Hi"
            ),
        ])
    func wrappers(template: String, output: String, answer: String) {
        let profile = OutputSanitizationProfile.derived(fromChatTemplate: template)
        for chunks in output.byteChunkings() {
            var splitter = PhaseSplitter(profile: profile, start: .final(followsMarker: false))
            var text = ""
            for output in chunks.flatMap({ splitter.push(String(decoding: $0, as: UTF8.self)) }) + splitter.finish() {
                if case .text(let piece) = output { text += piece }
            }
            #expect(text == answer)
        }
    }

    @Test("TH-1: stops in their order; a plain template has nothing")
    func stops() {
        func derived(_ template: String?) -> OutputSanitizationProfile { .derived(fromChatTemplate: template) }
        let chatML = derived("{{ '<|im_start|>' + role + content + '<|im_end|>' }}")
        #expect(chatML == OutputSanitizationProfile(extraStopStrings: ["<|im_end|>", "<|im_start|>"]))
        #expect(
            derived("<start_of_turn><|end_of_text|><end_of_turn><|turn><turn|>").extraStopStrings == [
                "<turn|>", "<|turn>", "<end_of_turn>", "<start_of_turn>", "<|end_of_text|>",
            ])
        #expect(derived("{{ messages[0].content }}") == .empty)
        #expect(derived(nil) == .empty)
    }

    @Test("TH-1, GO-3: a request's markers come after the profile's, each once and without ignored ones")
    func merging() {
        let base = OutputSanitizationProfile(
            thinkingPairs: Self.pairs([("<think>", "</think>")]), sliceAfterMarker: "S", extraStopStrings: ["stop"],
            scrubTokens: ["x"], finalMarkers: ["F"])
        let merged = base.merging(
            LLMStreamPhaseConfiguration(
                thinkingPairs: Self.pairs([("<r>", "</r>"), ("<think>", "</think>"), ("a", ""), ("", "</i>")]),
                finalMarkers: ["G", "F", " \n", ""], startsInThinking: true))
        #expect(merged.thinkingPairs == Self.pairs([("<think>", "</think>"), ("<r>", "</r>"), ("", "</i>")]))
        #expect(merged.finalMarkers == ["F", "G"])
        #expect(merged.allFinalMarkers == ["F", "G", "S"])
        #expect(merged.extraStopStrings == ["stop"])
        #expect(merged.scrubTokens == ["x"])
        #expect(base.merging(.automatic) == base)
    }

    @Test("the slice marker is a final marker, once")
    func allFinalMarkers() {
        #expect(
            OutputSanitizationProfile(sliceAfterMarker: "a", finalMarkers: ["a", "b"]).allFinalMarkers == ["a", "b"])
        #expect(OutputSanitizationProfile(sliceAfterMarker: " ").allFinalMarkers == [])
        #expect(OutputSanitizationProfile.empty.allFinalMarkers == [])
    }

    @Test(
        "TH-1: pairs come from the template's analysis, and ends that open tool calls are none",
        arguments: [
            ("<think>", ["\n</think>", "</think>", "<tool_call>"], [("<think>", "</think>")]),
            ("<think>", ["</think>", "<｜DSML｜function_calls>"], [("<think>", "</think>")]),
            ("<think>\n", ["\n</think>\n\n"], [("<think>", "</think>")]),
            ("<|open|>think<|sep|>", ["<|close|>think<|sep|>"], [("<|open|>think<|sep|>", "<|close|>think<|sep|>")]),
            ("<t:think>", ["</t:think>", "</think>"], [("<t:think>", "</t:think>"), ("<t:think>", "</think>")]),
            (nil, ["</think>"], [("", "</think>")]),
        ] as [(String?, [String], [(String, String)])])
    func analysis(start: String?, ends: [String], expected: [(String, String)]) {
        let profile = OutputSanitizationProfile(
            thinkingStart: start, thinkingEnds: ends, template: "[THINK][/THINK] <|im_end|>")
        #expect(profile.thinkingPairs == Self.pairs(expected))
        #expect(profile.extraStopStrings == ["<|im_end|>"])
    }

    @Test("TH-1: without pairs from the analysis those of the template's text count")
    func textInsteadOfAnalysis() {
        let template = "<think></think>"
        for (start, ends) in [(nil, []), ("<think>", []), ("<think>", [" "])] as [(String?, [String])] {
            let profile = OutputSanitizationProfile(thinkingStart: start, thinkingEnds: ends, template: template)
            #expect(profile.thinkingPairs == Self.pairs([("<think>", "</think>")]))
        }
        let apriel = OutputSanitizationProfile(
            thinkingStart: "<|begin_assistant|>", thinkingEnds: ["[BEGIN FINAL RESPONSE]"],
            template: "[BEGIN FINAL RESPONSE]", configuration: LLMStreamPhaseConfiguration(finalMarkers: ["F"]))
        #expect(apriel.thinkingPairs == [])
        #expect(apriel.finalMarkers == ["[BEGIN FINAL RESPONSE]", "F"])
    }

    @Test("every marker that is looked for")
    func markers() {
        let profile = OutputSanitizationProfile(
            thinkingPairs: Self.pairs([("", "</a>"), ("<b>", "")]), sliceAfterMarker: "F", scrubTokens: ["", "x", "F"],
            finalMarkers: ["F"])
        #expect(profile.markers == ["</a>", "F", "x"])
    }

    @Test("missing fields decode as defaults, and everything survives a round trip")
    func coding() throws {
        let decoder = JSONDecoder()
        #expect(try decoder.decode(OutputSanitizationProfile.self, from: Data("{}".utf8)) == .empty)
        let full = OutputSanitizationProfile(
            thinkingPairs: Self.pairs([("<t>", "</t>")]), sliceAfterMarker: "S", extraStopStrings: ["e"],
            scrubTokens: ["s"], finalMarkers: ["f"])
        #expect(try decoder.decode(OutputSanitizationProfile.self, from: JSONEncoder().encode(full)) == full)
    }
}
