import CarbocationLlamaRuntime
import CarbocationLocalLLM
import Foundation
import Testing

@testable import CLLMCommands

@Suite("TurnEnd", .enabled("needs the llama.cpp artifact") { LlamaRuntimeInfo.isAvailable })
struct TurnEndTests {
    /// What `debug parse` prints.
    private func reading(of output: String, template: String, options: [String] = []) async throws -> LLMJSONValue {
        var session = CommandSession()
        session.input = MemoryReader(output)
        let arguments = ["debug", "parse", "--json", "--chunk", "3", "--template", template] + options
        #expect(await session.run(arguments, runtime: LlamaModelRuntime()) == 0)
        return try session.json()
    }

    /// A template whose turns end with `end`, and what of `output` is the answer.
    private func answer(in output: String, endingTurnsWith end: String, also text: String = "") async throws -> String?
    {
        let template = try TemporaryFile(
            """
            {%- for m in messages -%}<|start_of|>{{ m.role }}: {{ m.content }}\(end){% endfor -%}\(text)
            {%- if add_generation_prompt %}<|start_of|>assistant: {% endif %}
            """)
        let json = try await reading(of: output, template: template.path)
        #expect(json.value(forKey: "stopReason") == "complete")
        return json.value(forKey: "finalText")?.stringValue
    }

    @Test(
        "SM-4: what ends the template's turns does not show at the end of the output",
        arguments: [
            "<|eot_id|>", "<|im_end|>", "<end_of_turn>", "<|end|>", "<sep>", "</s>", "<｜end▁of▁sentence｜>",
            "[|endofturn|]", "[e~[", "<|any|>",
            "<|END_RESPONSE|><|END_OF_TURN_TOKEN|>", "</assistant>",
        ])
    func turnEnd(end: String) async throws {
        for written in [end, end + "\n"] {
            for output in ["4", "4\(end)", "4\(end)\n", "4\(end)\n\(end)\n"] {
                #expect(try await answer(in: output, endingTurnsWith: written) == "4", "\(output)")
            }
        }
    }

    @Test(
        "SM-4: text that looks like an end of a turn is kept elsewhere",
        arguments: [
            ("a <|any|> b", "a <|any|> b"), ("<|any|> b<|any|>", "<|any|> b"), ("4<|an", "4<|an"),
            ("4<|eot_id|>", "4<|eot_id|>"), ("4</s>", "4</s>"), ("4 \n", "4 \n"), ("4 <|any|>", "4 "),
        ])
    func lookalike(output: String, expected: String) async throws {
        #expect(try await answer(in: output, endingTurnsWith: "<|any|>") == expected)
    }

    @Test(
        "SM-4: the end may be a variable of the vocabulary, a token that the template only names, or the next turn",
        arguments: [
            ("{{ eos_token }}", "", "4</s>", "4"), ("{{ eos_token }}", "", "4<|start_of|>", "4<|start_of|>"),
            ("<|any|>", "{% if none %}<|eom_id|>{% endif %}", "4<|eom_id|>", "4"), ("", "", "4<|start_of|>", "4"),
            ("", "", "4<|eot_id|>", "4<|eot_id|>"), ("\n\n", "", "4\n\n", "4\n\n"),
        ])
    func otherTurnEnd(end: String, text: String, output: String, expected: String) async throws {
        #expect(try await answer(in: output, endingTurnsWith: end, also: text) == expected)
    }

    @Test("--stop keeps its reason when it is the end of a turn")
    func stopAtTurnEnd() async throws {
        let template = try TemporaryFile("{% for m in messages %}{{ m.role }}: {{ m.content }}<|any|>{% endfor %}")
        let json = try await reading(of: "4<|any|>", template: template.path, options: ["--stop", "<|any|>"])
        #expect(json.value(forKey: "finalText") == "4")
        #expect(json.value(forKey: "stopReason") == "stop-sequence")
    }

    private static let shipped: [(String, String)] = [
        ("Apertus-8B-Instruct", "<|assistant_end|>"), ("Apriel-1.6-15b-Thinker-fixed", "\n<|end|>"),
        ("CohereForAI-c4ai-command-r7b-12-2024-tool_use", "<|END_RESPONSE|><|END_OF_TURN_TOKEN|>"),
        ("GLM-4.6", "<|user|>"), ("GigaChat3-10B-A1.8B", "<|message_sep|>\n\n"), ("Reka-Edge", "<sep>"),
        ("Kimi-K3", "<|end_of_msg|>"), ("MiniMax-M2", "[e~[\n"),
        ("Mistral-Small-3.2-24B-Instruct-2506", "</s>"), ("microsoft-Phi-3.5-mini-instruct", "<|end|>\n"),
        ("meta-llama-Llama-3.1-8B-Instruct", "<|eom_id|>"), ("meta-llama-Llama-3.3-70B-Instruct", "<|eot_id|>\n"),
        ("deepseek-ai-DeepSeek-V3.1", "<｜end▁of▁sentence｜>"), ("tencent-Hy3", "<｜hy_eos:opensource｜>"),
        ("google-gemma-2-2b-it", "<end_of_turn>\n"), ("Qwen3-Coder", "<|im_end|>\n<|endoftext|>"),
        ("ByteDance-Seed-OSS", "<seed:eos>"), ("NVIDIA-Nemotron-Nano-v2", "\n<SPECIAL_12>\n"),
        ("openai-gpt-oss-120b", "<|return|>"), ("muse-glimmer", "<|eot|>"), ("upstage-Solar-Open-100B", "<|end|>"),
        ("poolside-Laguna-S-2.1", "</assistant>\n"), ("inclusionai-ling-3.0-flash", "<|role_end|>"),
    ]

    @Test(
        "SM-4: the ends of templates in use", .enabled("needs the templates of a source artifact") { areThere },
        arguments: shipped)
    func templates(name: String, end: String) async throws {
        let template = Self.directory.appending(path: name + ".jinja").path
        let json = try await reading(of: "It is 4." + end, template: template)
        // Some prompts end within the thinking.
        let text = ["thinkingText", "finalText"].compactMap { json.value(forKey: $0)?.stringValue }.joined()
        #expect(text.trimmingCharacters(in: .newlines) == "It is 4.")
    }

    private static let directory = RecordedReply.root.appending(path: "Vendor/llama-artifacts/current/share/templates")
    private static var areThere: Bool {
        shipped.allSatisfy { FileManager.default.fileExists(atPath: directory.appending(path: $0.0 + ".jinja").path) }
    }
}
