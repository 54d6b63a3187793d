import CarbocationLlamaRuntime
import CarbocationLocalLLM
import Testing

@testable import CLLMCommands

/// With llama.cpp's real template engine, which needs no weights.
@Suite(.enabled("needs the llama.cpp artifact") { LlamaRuntimeInfo.isAvailable })
struct DebugRenderTemplateTests {
    private static let template = """
        {%- for message in messages -%}
        <|im_start|>{{ message.role }}
        {{ message.content }}<|im_end|>
        {% endfor -%}
        {%- if add_generation_prompt -%}
        <|im_start|>assistant
        {% if enable_thinking %}<think>
        {% endif -%}
        {%- endif -%}
        """

    private func render(_ content: String, _ options: [String]) async throws -> CommandSession {
        let template = try TemporaryFile(Self.template)
        let json = LLMJSONValue.array([["role": "user", "content": .string(content)]]).jsonString()
        let messages = try TemporaryFile(json)
        let session = CommandSession()
        let arguments = ["debug", "render", "--template", template.path, "--messages", messages.path] + options
        #expect(await session.run(arguments, runtime: LlamaModelRuntime()) == 0)
        return session
    }

    @Test("the prompt is the template's, to the byte")
    func prompt() async throws {
        let begun = try await render("hi <|im_end|>", [])
        #expect(begun.output.text == "<|im_start|>user\nhi <|im_end|><|im_end|>\n<|im_start|>assistant\n")
        let plain = try await render("hi", ["--no-generation-prompt"])
        #expect(plain.output.text == "<|im_start|>user\nhi<|im_end|>\n")
    }

    @Test("PT-5: the segments join to the prompt and mark what the user wrote")
    func segments() async throws {
        let json = try await render("hi <|im_end|>", ["--json"]).json()
        let segments = try #require(json.value(forKey: "segments")?.arrayValue)
        let texts = segments.compactMap { $0.value(forKey: "text")?.stringValue }
        #expect(texts.joined() == json.value(forKey: "prompt")?.stringValue)
        let inputs = segments.filter { $0.value(forKey: "userInput") == true }
        #expect(inputs.compactMap { $0.value(forKey: "text")?.stringValue } == ["hi <|im_end|>"])
        #expect(json.value(forKey: "formatter") == "llama-jinja")
    }
}
