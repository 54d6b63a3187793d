import Foundation
import Testing

/// What the details of a rendering say.
private struct ReplyFormat: Decodable {
    struct Trigger: Decodable {
        var type: String
        var value: String
    }

    var format: String
    var thinkingStart: String
    var thinkingEnds: [String]
    var generationPrompt: String
    var grammar: String
    var grammarLazy: Bool
    var triggers: [Trigger]
    var preservedTokens: [String]
    var stops: [String]
    var parser: String

    init(_ rendering: TestRendering) throws {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        self = try decoder.decode(Self.self, from: Data(rendering.details.utf8))
    }
}

@Suite("Details of a rendering", .needsChatRuntime)
struct ChatDetailsTests {
    private static let thinkingToolTemplate = """
        {% for m in messages %}{{ '<|im_start|>' + m.role + '\\n' }}\
        {% if m.role == 'assistant' and m.reasoning_content %}\
        {{ '<think>\\n' + m.reasoning_content + '\\n</think>\\n\\n' }}{% endif %}{{ m.content }}\
        {% for c in m.tool_calls or [] %}{{ '\\n<tool_call>\\n' }}\
        {{ {'name': c.function.name, 'arguments': c.function.arguments} | tojson }}{{ '\\n</tool_call>' }}\
        {% endfor %}{{ '<|im_end|>\\n' }}{% endfor %}{% if tools %}{{ tools | tojson }}{% endif %}\
        {% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}\
        {% if enable_thinking is defined and enable_thinking is false %}\
        {{ '<think>\\n\\n</think>\\n\\n' }}{% endif %}{% endif %}
        """

    @Test("a template without thinking and tools has plain content")
    func plain() throws {
        let chat = try TestChat(ChatRenderTests.chatML)
        let format = try ReplyFormat(chat.render(TestConversation(.user("x"))))
        #expect(format.thinkingStart.isEmpty)
        #expect(format.thinkingEnds.isEmpty)
        #expect(format.grammar.isEmpty)
        #expect(format.generationPrompt == "<|im_start|>assistant\n")
        #expect(format.triggers.isEmpty)
    }

    @Test("TH-1: thinking tags are found by analysis")
    func thinking() throws {
        let chat = try TestChat(Self.thinkingToolTemplate)
        let format = try ReplyFormat(chat.render(TestConversation(.user("x"))))
        #expect(format.thinkingStart == "<think>")
        #expect(format.thinkingEnds == ["</think>"])
        #expect(format.generationPrompt == "<|im_start|>assistant\n<think>\n\n</think>\n\n")
    }

    @Test("tools give a parser and a grammar", arguments: [("auto", true), ("required", false)])
    func tools(choice: String, isLazy: Bool) throws {
        let chat = try TestChat(Self.thinkingToolTemplate)
        let conversation = TestConversation(
            .user("x"), tools: [TestConversation.weatherTool], options: [#""tool_choice":"\#(choice)""#])
        let format = try ReplyFormat(chat.render(conversation))
        #expect(format.format == "peg-native")
        #expect(format.grammar.contains("get_weather"))
        #expect(format.grammarLazy == isLazy)
        #expect(format.triggers.map(\.type) == (isLazy ? ["word"] : []))
        #expect(format.triggers.allSatisfy { $0.value.hasPrefix("<tool_call>") })
        #expect(format.parser.contains("get_weather"))
    }

    @Test(
        "a schema that has no grammar costs only its own property, and the prompt keeps it",
        arguments: [
            #"{"type":"string","pattern":"abc"}"#, #"{"type":"string","pattern":"^(a|b$"}"#, #"{"type":"weird"}"#,
            ##"{"$ref":"#/nowhere"}"##, #"{"enum":[]}"#, #"{"oneOf":[]}"#,
        ])
    func inexpressibleSchema(property: String) throws {
        let tool = #"""
            {"type":"function","function":{"name":"f","description":"","parameters":\#
            {"type":"object","properties":{"first":{"type":"integer"},"second":\#(property)}}}}
            """#
        let rendering = try TestChat(Self.thinkingToolTemplate).render(TestConversation(.user("x"), tools: [tool]))
        #expect(rendering.prompt.contains(property.replacing(",", with: ", ").replacing(":", with: ": ")))
        let format = try ReplyFormat(rendering)
        #expect(format.grammar.contains("integer"))
        #expect(format.grammar.contains(#"\"second\""#))
    }

    @Test("properties that are named like keywords hold schemas, and keywords of data do not")
    func namesOfKeywords() throws {
        let tool = #"""
            {"type":"function","function":{"name":"f","description":"","parameters":{"type":"object","properties":\#
            {"outer":{"type":"object","properties":{"default":{"type":"string","pattern":"abc"},\#
            "inner":{"type":"integer"},"kind":{"enum":[{"pattern":"abc"}]}},"required":["default","kind"]}}}}}
            """#
        let grammar = try ReplyFormat(
            TestChat(Self.thinkingToolTemplate).render(
                TestConversation(.user("x"), tools: [tool]))
        ).grammar
        #expect(grammar.contains(#"\"inner\""#))
        #expect(grammar.contains(#"\"pattern\""#))
    }

    @Test("a pattern that has a grammar is in it")
    func pattern() throws {
        let tool = #"""
            {"type":"function","function":{"name":"f","parameters":{"type":"object",\#
            "properties":{"code":{"type":"string","pattern":"^[A-Z]{3}$"}}}}}
            """#
        let rendering = try TestChat(Self.thinkingToolTemplate).render(TestConversation(.user("x"), tools: [tool]))
        #expect(try ReplyFormat(rendering).grammar.contains("[A-Z]"))
    }

    @Test("tool_choice none gives no grammar")
    func noTools() throws {
        let chat = try TestChat(Self.thinkingToolTemplate)
        let conversation = TestConversation(
            .user("x"), tools: [TestConversation.weatherTool], options: [#""tool_choice":"none""#])
        #expect(try ReplyFormat(chat.render(conversation)).grammar.isEmpty)
    }

    @Test("a template that resists analysis renders all the same")
    func resisting() throws {
        let chat = try TestChat(
            "{% if messages | length > 1 and messages[0].content != 'x' %}{{ raise_exception('no') }}{% endif %}"
                + "{{ messages[0].content }}"
        )
        let rendering = try chat.render(TestConversation(.user("x"), .user("y")))
        #expect(rendering.prompt == "x")
        #expect(try ReplyFormat(rendering).grammar.isEmpty)
    }

    @Test("a legacy template has plain content")
    func legacy() throws {
        let format = try ReplyFormat(TestChat("chatml").render(TestConversation(.user("x"))))
        #expect(format.format == "Content-only")
        #expect(format.parser.isEmpty)
    }
}
