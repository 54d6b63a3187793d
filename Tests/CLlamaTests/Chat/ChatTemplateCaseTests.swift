import CLlama
import Testing

/// Reported failures of template engines.
@Suite("Template cases", .needsChatRuntime)
struct ChatTemplateCaseTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var id: String
        var source: String
        var expected: String
        var messages: TestConversation = TestConversation(.user("x"))

        init(
            _ id: String, _ source: String, _ expected: String,
            _ messages: TestConversation = TestConversation(.user("x"))
        ) {
            self.id = id
            self.source = source
            self.expected = expected
            self.messages = messages
        }

        var testDescription: String { "\(id): \(source)" }
    }

    private static func variables(_ json: String) -> TestConversation { TestConversation(.user("x"), variables: json) }

    static let cases: [Case] = [
        Case("T02", "A\n{#- note -#}\nB", "AB"),
        Case("T02", "A\n{# note #}\nB", "A\nB"),
        Case("T02", "P {\n {#- q -#}\n k", "P {k"),
        Case("T03", "[{{ v['type'] | upper }}][{{ v.n | lower }}]", "[][]", variables(#"{"v":{}}"#)),
        Case("T03", "[{{ 5 | upper }}]", "[5]"),
        Case(
            "T04",
            "{%- set ns = namespace(seen=false) -%}{%- for k in ['a','b'] -%}{%- if ns.seen -%},{%- endif -%}"
                + "{%- set ns.seen = true -%}{{ k }}{%- endfor -%}", "a,b"),
        Case(
            "T05",
            "{% for m in messages[::-1] %}{{ m.role[0] }}{% endfor %}|"
                + "{{ '<tool_response>x'.startswith('<tool_response>') }}|{{ 'ab'.endswith('b') }}",
            "au|True|True", TestConversation(.user("x"), .assistant("y"))),
        Case("T06", "{% for i in [1,2,3] %}{% if i == 2 %}{% continue %}{% endif %}{{ i }}{% endfor %}", "13"),
        Case("T06", "{% for i in [1,2,3] %}{% if i == 2 %}{% break %}{% endif %}{{ i }}{% endfor %}", "1"),
        Case(
            "T07", "{% for m in messages %}{% generation %}{{ m.content }}{% endgeneration %}{% endfor %}", "ab",
            TestConversation(.user("a"), .assistant("b"))),
        Case("T09", "{{ 'n/a' | int(default=7) }}{{ ([{'n':1},{'n':5}] | max(attribute='n')).n }}", "75"),
        Case(
            "T10", #"{% set a = c.split('</think>')[-1] %}{{ a.lstrip('\n') }}"#, "hi",
            variables(#"{"c":"x</think>\n\nhi"}"#)),
        Case(
            "T13", "{% for m in messages %}{{ 'x' in m.content }};{% endfor %}", "False;False;False;",
            TestConversation(.user("hi"), .call(arguments: "{}"), .result("42"))),
        Case(
            "T13", "{% for m in messages %}{{ 'x' in m.content }};{% endfor %}", "False;False;False;",
            TestConversation(
                .user("hi"),
                TestMessage(
                    json:
                        #"{"role":"assistant","tool_calls":[{"id":"1","function":{"name":"f","arguments":{}}}]}"#
                ),
                .result("42"))),
        Case(
            "T15", "{{ t | tojson }}", #"{"zeta": 1, "alpha": {"b": 1, "a": "é<x>'"}}"#,
            variables(#"{"t":{"zeta":1,"alpha":{"b":1,"a":"é<x>'"}}}"#)),
        Case("T22", "{{ messages[0].content[0].text }}", "hi", TestConversation(.user("hi"))),
        Case("T24", "{% if not custom_tools is defined %}none{% endif %}", "none"),
    ]

    @Test("a template prints what it should", arguments: cases)
    func prints(case: Case) throws {
        #expect(try TestChat(`case`.source).render(`case`.messages).prompt == `case`.expected)
    }

    @Test("T03: a tool property without a plain type does not break the prompt")
    func untypedProperty() throws {
        let chat = try TestChat(
            "{% for n, p in tools[0].function.parameters.properties.items() %}{{ n }}:{{ p.type | upper }};{% endfor %}"
        )
        let tool =
            #"{"type":"function","function":{"name":"f","parameters":{"type":"object","properties":"#
            + #"{"a":{"anyOf":[{"type":"string"},{"type":"null"}]},"b":{"type":"integer"}}}}}"#
        #expect(try chat.render(TestConversation(.user("x"), tools: [tool])).prompt == "a:;b:INTEGER;")
    }

    @Test("T14: a null description is no description")
    func nullDescription() throws {
        let chat = try TestChat("{{ tools[0].function.name + ':' + tools[0].function.description }}")
        let tool = #"{"type":"function","function":{"name":"calc","description":null}}"#
        #expect(try chat.render(TestConversation(.user("x"), tools: [tool])).prompt == "calc:")
    }

    @Test("T15: the same request prints the same bytes in every compiled template")
    func stableOrder() throws {
        let keys = (0..<50).map { #""k\#(($0 * 37) % 50)":\#($0)"# }.joined(separator: ",")
        let request = TestConversation(.user("x"), variables: "{\"t\":{\(keys)}}")
        let prompts = try (0..<5).map { _ in try TestChat("{{ t | tojson }}").render(request).prompt }
        #expect(
            prompts
                == Array(repeating: "{" + keys.replacing(",", with: ", ").replacing(":", with: ": ") + "}", count: 5))
    }

    @Test("T16: an unknown filter is named, and no prompt without the tools comes instead")
    func unknownFilter() throws {
        let chat = try TestChat("{{ tools | nosuchfilter }}")
        let failure = #expect(throws: ChatFailure.self) {
            try chat.render(TestConversation(.user("x"), tools: [TestConversation.weatherTool]))
        }
        #expect(failure?.status == CL_TEMPLATE_FAILED)
        #expect(failure?.message.contains("nosuchfilter") == true)
    }

    @Test(
        "T17: the rendered BOS goes exactly when the tokenizer adds one",
        arguments: [
            ("{{ bos_token }}U:{{ messages[0].content }}", "<s>", true, "U:x"),
            ("U:{{ messages[0].content }}", "<s>", true, "U:x"),
            ("{{ bos_token }}U:{{ messages[0].content }}", "<s>", false, "<s>U:x"),
            ("U:{{ messages[0].content }}", "<s>", false, "U:x"),
            ("{{ bos_token }}U:{{ messages[0].content }}", "", false, "U:x"),
            ("U:{{ messages[0].content }}", "", true, "U:x"),
        ])
    func beginOfSequence(source: String, bos: String, isAdded: Bool, expected: String) throws {
        let chat = try TestChat(source, bos: bos, addsBOS: isAdded)
        #expect(try chat.render(TestConversation(.user("x"))).prompt == expected)
    }

    @Test("T23: a template that wants one of thoughts and content gets both under the names of the API")
    func thoughtsAndContent() throws {
        let chat = try TestChat(
            "{% for m in messages %}{% if m.content and m.thinking %}{{ raise_exception('both') }}{% endif %}"
                + "{{ m.content }}{% endfor %}"
        )
        let turn = TestMessage(
            json:
                #"{"role":"assistant","content":"ok","reasoning_content":"plan","#
                + #""tool_calls":[{"function":{"name":"f","arguments":{}}}]}"#
        )
        #expect(try chat.render(TestConversation(.user("q"), turn)).prompt == "qok")
    }
}
