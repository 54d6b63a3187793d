import CarbocationLocalLLM
import Testing

@Suite("LLMResponseSanitizer")
struct LLMResponseSanitizerTests {
    @Test(
        "TH-6: complete blocks at segment starts go, the rest is trimmed",
        arguments: [
            ("<think>plan</think>\n{\"a\":1}\n", "{\"a\":1}"),
            (" <think>a</think>\n<think>b</think> x ", "x"),
            ("<think></think>x", "x"),
            ("x <think>a</think> y", "x <think>a</think> y"),
            ("<think>never closed", "<think>never closed"),
            ("<think>a</think><think>b", "<think>b"),
            ("</think>x", "</think>x"),
            ("\u{3000}x\u{A0}", "x"),
            ("", ""),
        ])
    func blocks(text: String, expected: String) {
        #expect(LLMResponseSanitizer.unwrapStructuredOutput(text, using: .think) == expected)
    }

    @Test(
        "TH-6: after the last final marker, without scrub tokens",
        arguments: [
            ("notes<|channel|>final<|message|>{\"ok\":true}<|return|>", "{\"ok\":true}"),
            ("a<|channel|>final<|message|>b<|end|><|channel|>final<|message|> c", "c"),
            ("a<|end|>b<|return|>", "ab"),
            ("a<|channel|>final<|message|>", ""),
            ("<|channel|>fin", "<|channel|>fin"),
        ])
    func finalMarkers(text: String, expected: String) {
        #expect(LLMResponseSanitizer.unwrapStructuredOutput(text, using: .harmony) == expected)
    }

    @Test("TH-6: a final marker within a block begins the answer")
    func finalMarkerInBlock() {
        let profile = OutputSanitizationProfile.think.merging(LLMStreamPhaseConfiguration(finalMarkers: ["FINAL:"]))
        let text = "<think>a</think><think>b FINAL: <think>c</think>d"
        #expect(LLMResponseSanitizer.unwrapStructuredOutput(text, using: profile) == "<think>c</think>d")
    }

    @Test("TH-6: an empty profile changes nothing")
    func emptyProfile() {
        let text = " <think>a</think>\n"
        #expect(LLMResponseSanitizer.unwrapStructuredOutput(text, using: .empty) == text)
    }

    @Test(
        "TH-6: pairs that the prompt has opened end at their closers, or nothing is left",
        arguments: [
            ("plan</think>\n{}", [("<think>", "</think>")], "{}"),
            ("plan {}", [("<think>", "</think>")], ""),
            ("a</x>b</y> {}", [("<x>", "</x>"), ("", "</y>")], "{}"),
            ("a</x>b", [("<x>", "</x>"), ("<y>", "</y>")], ""),
            ("{}", [("<x>", "")], "{}"),
            ("plan</think><think>more</think>{}", [("<think>", "</think>")], "{}"),
        ] as [(String, [(String, String)], String)])
    func openPairs(text: String, pairs: [(String, String)], expected: String) {
        let open = pairs.map { OutputDelimiterPair(open: $0.0, close: $0.1) }
        let result = LLMResponseSanitizer.unwrapStructuredOutput(
            text, using: .think, continuingOpenThinkingPairs: open)
        #expect(result == expected)
    }

    @Test("TH-6: open pairs count with an empty profile too")
    func openPairsWithEmptyProfile() {
        let pair = OutputDelimiterPair(open: "<think>", close: "</think>")
        func unwrap(_ text: String) -> String {
            LLMResponseSanitizer.unwrapStructuredOutput(text, using: .empty, continuingOpenThinkingPairs: [pair])
        }
        #expect(unwrap("a</think> b") == "b")
        #expect(unwrap("a") == "")
    }

    @Test(
        "TH-6: without a profile all known markers count",
        arguments: [
            "<think>a</think>{}", "<|channel>thought\na<channel|>{}", "<|channel|>thought a<|channel|>{}",
            "<|START_THINKING|>a<|END_THINKING|>{}", "[THINK]a[/THINK]{}", "<seed:think>a</seed:think>{}",
            "<|inner_prefix|>a<|inner_suffix|>{}", "<|think|>a<|end|><|begin|>assistant<|content|>{}<|end|>",
            "<thinking>a</thinking>\n{}", "a [BEGIN FINAL RESPONSE]\n{}\n[END FINAL RESPONSE]",
            "<|channel|>analysis<|message|>a<|end|><|start|>assistant<|channel|>final<|message|>{}<|return|>",
            "<|channel|>thought a<|channel|>final<|message|>{}", "{}", " {}\n",
        ])
    func allKnown(text: String) {
        #expect(LLMResponseSanitizer.unwrapStructuredOutput(text) == "{}")
    }
}
