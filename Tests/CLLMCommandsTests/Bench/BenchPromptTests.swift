import Testing

@testable import CLLMCommands

@Suite struct BenchPromptTests {
    @Test("a longer prompt has that many more words")
    func length() {
        let base = BenchPrompt(variant: 1, words: 0).text.split(whereSeparator: \.isWhitespace).count
        for words in [1, 2, 50] {
            let text = BenchPrompt(variant: 1, words: words).text
            #expect(text.split(whereSeparator: \.isWhitespace).count == base + words)
        }
    }

    @Test("prompts differ from their first word on")
    func variants() {
        let openings = (0..<20).map { BenchPrompt(variant: $0, words: 8).text.split(separator: " ")[0] }
        #expect(Set(openings).count == 20)
    }

    @Test("the same prompt is always the same text")
    func determinism() {
        #expect(BenchPrompt(variant: 3, words: 9).text == BenchPrompt(variant: 3, words: 9).text)
    }
}
