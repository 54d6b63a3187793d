import CarbocationLocalLLM
import Testing

@testable import CarbocationLlamaRuntime

@Suite("What a template is given (PT-3, MS-4)")
struct PromptRenderRequestTests {
    @Test("content and reasoning stand apart, calls keep key order and integers, results name their call")
    func messages() {
        let call = LLMToolCall(
            executionID: "call_1", name: "calculate",
            arguments: .object(["z": .int(5), "a": .double(5)]))
        let messages = [
            LLMChatMessage(role: .user, content: "Hi"),
            LLMChatMessage(role: .assistant, content: "", reasoningContent: "plan", toolCalls: [call]),
            LLMChatMessage(role: .tool, content: "{}", toolCallID: "call_1", toolName: "calculate"),
        ]
        let json = PromptRenderRequest(messages: messages, options: GenerationOptions()).json.jsonString()
        #expect(
            json == #"{"messages":[{"role":"user","content":"Hi"},"#
                + #"{"role":"assistant","content":"","reasoning_content":"plan","tool_calls":[{"id":"call_1","#
                + #""type":"function","function":{"name":"calculate","arguments":{"z":5,"a":5.0}}}]},"#
                + #"{"role":"tool","content":"{}","tool_call_id":"call_1","name":"calculate"}],"#
                + #""enable_thinking":false,"add_generation_prompt":true}"#)
    }

    @Test("effort and preserve flag are variables only when set; tools only when there are some")
    func variables() {
        var options = GenerationOptions(enableThinking: true)
        options.reasoningEffort = .noThink
        options.preserveThinking = false
        let request = PromptRenderRequest(messages: [], options: options)
        #expect(request.variables.pairs.map(\.key) == ["reasoning_effort", "preserve_thinking"])
        #expect(request.json.value(forKey: "kwargs")?.value(forKey: "reasoning_effort")?.stringValue == "no_think")
        #expect(request.json.value(forKey: "enable_thinking")?.boolValue == true)
        #expect(PromptRenderRequest(messages: [], tools: []).json.value(forKey: "tools") == nil)
        #expect(PromptRenderRequest(messages: []).json.value(forKey: "kwargs") == nil)
    }
}
