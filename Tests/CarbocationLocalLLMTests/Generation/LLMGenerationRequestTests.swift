import CarbocationLocalLLM
import Testing

@Suite("LLMGenerationRequest")
struct LLMGenerationRequestTests {
    @Test(
        "MS-1: one user message, after a system message unless that is blank",
        arguments: [("", 1), (" \n\t", 1), ("Be brief.", 2), ("  Be brief. ", 2)])
    func systemAndPrompt(system: String, count: Int) {
        let request = LLMGenerationRequest(system: system, prompt: "Hi")
        #expect(request.messages.count == count)
        #expect(request.messages.last == LLMChatMessage(role: .user, content: "Hi"))
        if count == 2 { #expect(request.messages.first == LLMChatMessage(role: .system, content: system)) }
    }

    @Test("defaults, and what is passed is kept")
    func fields() {
        let control = LLMGenerationControl()
        let plain = LLMGenerationRequest(prompt: "Hi")
        #expect(plain.options == GenerationOptions())
        #expect(plain.control == nil)
        let messages = [LLMChatMessage(role: .user, content: "Hi")]
        let request = LLMGenerationRequest(messages: messages, options: .extractionSafe, control: control)
        #expect(request.messages == messages)
        #expect(request.options == .extractionSafe)
        #expect(request.control === control)
    }
}
