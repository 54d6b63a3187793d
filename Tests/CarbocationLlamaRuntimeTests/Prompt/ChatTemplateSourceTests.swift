import CarbocationLocalLLM
import Testing

@testable import CarbocationLlamaRuntime

@Suite("Chat template source")
struct ChatTemplateSourceTests {
    @Test(
        "PT-2: without an embedded template the vocabulary decides",
        arguments: [
            (["<|turn>", "<turn|>"], .gemmaFallback), (["<start_of_turn>", "<end_of_turn>"], .gemmaFallback),
            (["<|im_start|>", "<|im_end|>"], .chatMLFallback), (["<|im_start|>"], .unavailable),
            (["<|turn>", "<end_of_turn>"], .unavailable), ([], .unavailable),
        ] as [([String], LLMChatTemplateMode)])
    func fallback(tokens: [String], mode: LLMChatTemplateMode) {
        let source = ChatTemplateSource(default: nil, tools: nil, hasControlToken: tokens.contains)
        #expect(source.mode == mode)
    }

    @Test("PT-1: an embedded template wins over any vocabulary; a blank one counts as none")
    func embedded() {
        let own = ChatTemplateSource(default: "{{ x }}", tools: "{{ y }}") { _ in true }
        #expect(own == .embedded("{{ x }}", tools: "{{ y }}"))
        #expect(own.text == "{{ x }}" && own.toolText == "{{ y }}" && own.mode == .embedded)
        #expect(ChatTemplateSource(default: " \n", tools: nil) { $0.hasPrefix("<|im_") }.mode == .chatMLFallback)
    }
}
