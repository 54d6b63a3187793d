import CarbocationLocalLLM
import Testing

@Suite("LLMResponsePreview")
struct LLMResponsePreviewTests {
    @Test(
        "JS-6: responses on one line",
        arguments: [
            ("", "<empty response>"), ("  \n", "<whitespace-only response: ..\\n>"), ("hello", "hello"),
            ("\t\r\n\u{A0}", "<whitespace-only response: \\t\\r\\n\\u{A0}>"), ("a b\nc\td", "a b\\nc\\td"),
            ("é 😀 \u{0}\u{2028}", "é 😀 \\u{0}\\u{2028}"),
            (String(repeating: "é", count: 200), String(repeating: "é", count: 200)),
            (String(repeating: "é", count: 201), String(repeating: "é", count: 200) + "…"),
        ])
    func descriptions(response: String, expected: String) {
        #expect(LLMResponsePreview.describe(response) == expected)
    }

    @Test("JS-6: the limit counts characters")
    func limit() {
        #expect(LLMResponsePreview.describe("abc", limit: 3) == "abc")
        #expect(LLMResponsePreview.describe("abc", limit: 2) == "ab…")
        #expect(LLMResponsePreview.describe("abc", limit: 0) == "…")
        #expect(LLMResponsePreview.describe("abc", limit: -1) == "…")
        #expect(LLMResponsePreview.describe("   ", limit: 2) == "<whitespace-only response: ..…>")
        #expect(LLMResponsePreview.describe("", limit: 0) == "<empty response>")
    }
}
