import CLlama
import Foundation
import Testing

/// A chat template that comes with llama.cpp.
struct ShippedTemplate: Sendable, CustomTestStringConvertible {
    var name: String
    var source: String

    var testDescription: String { name }

    /// All of them; none where no artifact was built from source.
    static let all: [ShippedTemplate] = {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..").standardized
        let folder = root.appending(path: "Vendor/llama-artifacts/current/share/templates")
        let files = (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)) ?? []
        return files.filter { $0.pathExtension == "jinja" }
            .sorted { $0.lastPathComponent < $1.lastPathComponent }
            .compactMap { file in
                let source = try? String(contentsOf: file, encoding: .utf8)
                return source.map { ShippedTemplate(name: file.deletingPathExtension().lastPathComponent, source: $0) }
            }
    }()

    static func named(_ name: String) throws -> TestChat {
        let template = try #require(all.first { $0.name == name })
        return try TestChat(template.source, bos: "<s>", eos: "</s>")
    }
}

extension Trait where Self == ConditionTrait {
    /// Runs only where the templates of llama.cpp are at hand.
    static var needsShippedTemplates: Self {
        .enabled("needs the templates of a source artifact") {
            cl_runtime_is_available() && !ShippedTemplate.all.isEmpty
        }
    }
}

@Suite("Templates of llama.cpp", .needsShippedTemplates)
struct ShippedTemplateTests {
    private static let tools = [TestConversation.weatherTool]
    private static let arguments = #"{"city":"Paris <|argument|>","days":2}"#

    private static let conversations: [(name: String, conversation: TestConversation)] = [
        ("plain", TestConversation(.user("Hello <|user-text|>"))),
        ("system", TestConversation(.system("Be <|system-text|>"), .user("Hello <|user-text|>"))),
        ("turns", TestConversation(.user("Hello"), .assistant("Hi <|answer|>"), .user("More <|user-text|>"))),
        ("thinking off", TestConversation(.user("Hello"), options: [#""enable_thinking":false"#])),
        ("thinking on", TestConversation(.user("Hello"), options: [#""enable_thinking":true"#])),
        (
            "thoughts",
            TestConversation(
                .user("Hello"), .assistant("Hi <|answer|>", thoughts: "hmm <|thought|>"), .user("More <|user-text|>"))
        ),
        ("tools", TestConversation(.user("Weather? <|user-text|>"), tools: tools)),
        ("tools and system", TestConversation(.system("Be <|system-text|>"), .user("Weather?"), tools: tools)),
        (
            "tool result",
            TestConversation(.user("Weather?"), .call(arguments: arguments), .result("21 <|result|>"), tools: tools)
        ),
        (
            "tool round",
            TestConversation(
                .user("Weather?"), .call(arguments: arguments), .result("21 <|result|>"), .assistant("Warm."),
                .user("Thanks <|user-text|>"), tools: tools)
        ),
    ]

    /// Texts that must never be template text, and those that no template may lose.
    private static let markers = [
        "<|user-text|>", "<|system-text|>", "<|answer|>", "<|thought|>", "<|result|>", "<|argument|>",
        "<|tool-description|>", "<|parameter-description|>",
    ]
    private static let kept = ["<|user-text|>", "<|system-text|>", "<|answer|>"]

    @Test("T13, T14, PT-5: every conversation renders, and its texts are input", arguments: ShippedTemplate.all)
    func renders(template: ShippedTemplate) throws {
        let chat = try TestChat(template.source, bos: "<s>", eos: "</s>", addsBOS: true, addsEOS: true)
        #expect(chat.formatter == "llama-jinja")
        for (name, conversation) in Self.conversations {
            do {
                expectMarked(try chat.render(conversation), of: conversation, comment: "\(template.name), \(name)")
            } catch {
                // Gemma 2 knows no tool role and says so.
                #expect(
                    error.message.hasPrefix("The chat template refuses the conversation: "), "\(template.name), \(name)"
                )
                #expect(template.name == "google-gemma-2-2b-it" && name.hasPrefix("tool "), "\(template.name), \(name)")
            }
        }
    }

    private func expectMarked(_ rendering: TestRendering, of conversation: TestConversation, comment: Comment) {
        #expect(rendering.segments.map(\.text).joined() == rendering.prompt, comment)
        #expect(!rendering.prompt.isEmpty, comment)
        #expect(!rendering.prompt.hasPrefix("<s>"), comment)
        #expect(
            zip(rendering.segments, rendering.segments.dropFirst()).allSatisfy { $0.isInput != $1.isInput }, comment)
        let templateText = rendering.templateText
        for marker in Self.markers {
            #expect(!templateText.contains(marker), comment)
        }
        for marker in Self.kept where conversation.json.contains(marker) {
            #expect(rendering.prompt.contains(marker), comment)
        }
    }

    @Test(
        "control tokens around a turn are template text",
        arguments: [
            ("Qwen-Qwen3-0.6B", "<|im_start|>user\n"), ("google-gemma-4-31B-it", "<|turn>user\n"),
            ("meta-llama-Llama-3.2-3B-Instruct", "<|start_header_id|>user<|end_header_id|>"),
            ("microsoft-Phi-3.5-mini-instruct", "<|user|>\n"), ("openai-gpt-oss-120b", "<|start|>user<|message|>"),
            ("GLM-4.6", "<|user|>"), ("google-gemma-2-2b-it", "<start_of_turn>user\n"),
            ("deepseek-ai-DeepSeek-V3.1", "<｜User｜>"),
            ("ibm-granite-granite-4.0", "<|start_of_role|>user<|end_of_role|>"),
        ])
    func controlTokens(name: String, opener: String) throws {
        let rendering = try ShippedTemplate.named(name).render(TestConversation(.user("Hello")))
        #expect(rendering.templateText.contains(opener))
        #expect(rendering.segments.contains(.input("Hello")))
    }

    @Test("PT table: Gemma 4 with thinking off ends with a closed thought, with thinking on it thinks")
    func gemma() throws {
        let chat = try ShippedTemplate.named("google-gemma-4-31B-it")
        let off = try chat.render(TestConversation(.user("x")))
        #expect(off.prompt.hasSuffix("<|turn>model\n<|channel>thought\n<channel|>"))
        let on = try chat.render(TestConversation(.system("s"), .user("x"), options: [#""enable_thinking":true"#]))
        #expect(on.prompt.contains("<|turn>system\n<|think|>\n"))
        #expect(on.prompt.hasSuffix("<|turn>model\n"))
    }

    @Test("PT table: Gemma 4 writes a tool, its call and its result")
    func gemmaTools() throws {
        let rendering = try ShippedTemplate.named("google-gemma-4-31B-it").render(
            TestConversation(.user("x"), .call(arguments: #"{"city":"Oslo"}"#), .result("cold"), tools: Self.tools))
        #expect(rendering.prompt.contains("<|tool>declaration:get_weather"))
        #expect(rendering.prompt.contains("<tool|>"))
        #expect(rendering.prompt.contains("<|tool_response>response:get_weather{"))
        #expect(rendering.prompt.contains("<tool_response|>"))
        #expect(rendering.templateText.contains("<|tool>declaration:"))
        #expect(rendering.templateText.contains("<|tool_response>response:"))
    }

    @Test(
        "PT table: Qwen3.5 opens or closes its thoughts",
        arguments: [
            (true, "<|im_start|>assistant\n<think>\n"), (false, "<think>\n\n</think>\n\n"),
        ])
    func qwen(thinks: Bool, ending: String) throws {
        let conversation = TestConversation(.user("x"), options: [#""enable_thinking":\#(thinks)"#])
        #expect(try ShippedTemplate.named("Qwen3.5-4B").render(conversation).prompt.hasSuffix(ending))
    }

    @Test("PT table: a tag that the user typed opens no thought")
    func typedTag() throws {
        let rendering = try ShippedTemplate.named("Qwen-Qwen3-0.6B").render(
            TestConversation(.user("What is <think>?"), options: [#""enable_thinking":true"#]))
        #expect(!rendering.templateText.contains("<think>"))
    }

    @Test("PT-4: Gemma 2 gets the system text with a blank line")
    func gemmaSystem() throws {
        let rendering = try ShippedTemplate.named("google-gemma-2-2b-it").render(
            TestConversation(.system("s"), .user("u")))
        #expect(rendering.prompt == "<s><start_of_turn>user\ns\n\nu<end_of_turn>\n<start_of_turn>model\n")
    }

    @Test("T23: gpt-oss gets the thoughts of a turn with tool calls, and not its content")
    func oneOfTwo() throws {
        let turn = TestMessage(
            json: #"""
                {"role":"assistant","content":"<|answer|>","reasoning_content":"<|thought|>","tool_calls":\#
                [{"id":"c","type":"function","function":{"name":"get_weather","arguments":{"city":"Oslo"}}}]}
                """#)
        let rendering = try ShippedTemplate.named("openai-gpt-oss-120b").render(
            TestConversation(.user("x"), turn, .result(id: "c", "cold"), tools: Self.tools))
        #expect(rendering.prompt.contains("<|thought|>"))
        #expect(!rendering.prompt.contains("<|answer|>"))
    }

    @Test("T16: a template that calls tools functions gets them")
    func functions() throws {
        let rendering = try ShippedTemplate.named("fireworks-ai-llama-3-firefunction-v2").render(
            TestConversation(.user("x"), tools: Self.tools))
        #expect(
            rendering.prompt.contains("Available functions as JSON spec:\n[\n    {\n        \"name\": \"get_weather\""))
        #expect(!rendering.templateText.contains("get_weather"))
    }

    @Test(
        "T03: parameters without a type, or with several",
        arguments: ["ByteDance-Seed-OSS", "GigaChat3-10B-A1.8B", "GigaChat3.1-10B-A1.8B", "google-gemma-4-31B-it"])
    func typesOfParameters(name: String) throws {
        let tool =
            #"{"type":"function","function":{"name":"find","description":"","parameters":{"type":"object","properties":"#
            + #"{"a":{"anyOf":[{"type":"integer"},{"type":"null"}],"default":null},"b":{"type":["string","null"]},"c":{}}}}}"#
        let rendering = try ShippedTemplate.named(name).render(TestConversation(.user("x"), tools: [tool]))
        #expect(rendering.prompt.contains("find"))
    }

    @Test("gpt-oss: a finished conversation ends with its end token, which is template text")
    func finishedConversation() throws {
        let rendering = try ShippedTemplate.named("openai-gpt-oss-120b").render(
            TestConversation(.user("x"), .assistant("<|return|> y"), options: [#""add_generation_prompt":false"#]))
        #expect(rendering.segments.suffix(2) == [.input("<|return|> y"), .template("<|end|>")])
    }
}
