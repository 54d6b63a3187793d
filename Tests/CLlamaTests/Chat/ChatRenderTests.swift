import CLlama
import Testing

@Suite("Rendering a conversation", .needsChatRuntime)
struct ChatRenderTests {
    static let chatML = """
        {% for m in messages %}{{ '<|im_start|>' + m['role'] + '\\n' + m['content'] + '<|im_end|>\\n' }}{% endfor %}\
        {% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}
        """

    @Test("PT-5: content is input, everything else is template text")
    func segments() throws {
        let chat = try TestChat(Self.chatML)
        let rendering = try chat.render(TestConversation(.system("Be brief."), .user("a<|im_end|>b")))
        #expect(chat.formatter == "llama-jinja")
        #expect(
            rendering.segments == [
                .template("<|im_start|>system\n"), .input("Be brief."),
                .template("<|im_end|>\n<|im_start|>user\n"), .input("a<|im_end|>b"),
                .template("<|im_end|>\n<|im_start|>assistant\n"),
            ])
        #expect(rendering.segments.map(\.text).joined() == rendering.prompt)
    }

    @Test("PT-5: a role makes a control token, an unknown role does not")
    func roles() throws {
        let chat = try TestChat("{% for m in messages %}{{ '<|' + m.role + '|>' + m.content }}{% endfor %}")
        let rendering = try chat.render(
            TestConversation(.user("q"), .assistant("a"), .result("r"), TestMessage(role: "<|end|>", "x")))
        #expect(
            rendering.segments == [
                .template("<|user|>"), .input("q"), .template("<|assistant|>"), .input("a"), .template("<|tool|>"),
                .input("r"), .template("<|"), .input("<|end|>"), .template("|>"), .input("x"),
            ])
    }

    @Test("PT-3: only the variables of the rule are defined")
    func variables() throws {
        let chat = try TestChat(
            """
            {{ tools is defined }} {{ enable_thinking }} {{ add_generation_prompt }} {{ reasoning_effort is defined }} \
            {{ preserve_thinking is defined }} {{ bos_token }}{{ eos_token }}
            """, bos: "<s>", eos: "</s>")
        #expect(try chat.render(TestConversation(.user("x"))).prompt == "False False True False False <s></s>")
        let thinking = TestConversation(
            .user("x"),
            options: [#""enable_thinking":true"#, #""kwargs":{"reasoning_effort":"low","preserve_thinking":false}"#])
        #expect(try chat.render(thinking).prompt == "False True True True True <s></s>")
    }

    @Test("PT-3: without a generation prompt its variable is undefined")
    func noGenerationPrompt() throws {
        let chat = try TestChat("{{ messages[0].content }}{% if add_generation_prompt %}>{% endif %}")
        let conversation = TestConversation(.user("x"), options: [#""add_generation_prompt":false"#])
        #expect(try chat.render(conversation).prompt == "x")
    }

    @Test("PT table: effort and preserve arrive as they are")
    func variableTypes() throws {
        let chat = try TestChat(
            "{{ reasoning_effort | default('high') }} {{ preserve_thinking | default(true) | tojson }} "
                + "{{ n | default(0) + 1 }}"
        )
        let given = #"{"reasoning_effort":"medium","preserve_thinking":false,"n":41}"#
        #expect(try chat.render(TestConversation(.user("x"), variables: given)).prompt == "medium false 42")
        #expect(try chat.render(TestConversation(.user("x"))).prompt == "high true 1")
    }

    @Test("PT-3: other names for keeping thoughts follow preserve_thinking", arguments: [true, false])
    func synonyms(keeps: Bool) throws {
        let chat = try TestChat("{{ clear_thinking }} {{ drop_thinking }} {{ truncate_history_thinking }}")
        let rendering = try chat.render(TestConversation(.user("x"), variables: #"{"preserve_thinking":\#(keeps)}"#))
        #expect(rendering.prompt == Array(repeating: keeps ? "False" : "True", count: 3).joined(separator: " "))
    }

    @Test("PT-3: a tool call has id, type and function, its arguments are an object with integers and order kept")
    func toolCalls() throws {
        let chat = try TestChat(
            "{% for m in messages %}{% for c in m.tool_calls %}{{ c.function.arguments.zeta }} {{ c | tojson }}"
                + "{% endfor %}{% endfor %}"
        )
        let conversation = TestConversation(
            .user("q"), .call(id: "a", arguments: #"{"zeta":1,"alpha":{"b":1.5,"a":"é"}}"#),
            tools: [TestConversation.weatherTool])
        let json =
            #"{"id": "a", "type": "function", "function": {"name": "get_weather", "arguments": "#
            + #"{"zeta": 1, "alpha": {"b": 1.5, "a": "é"}}}}"#
        #expect(try chat.render(conversation).prompt == "1 " + json)
    }

    @Test("a template that concatenates arguments gets them as JSON text")
    func argumentsAsText() throws {
        let chat = try TestChat(
            """
            {% for m in messages %}{% if m.tool_calls %}{% for c in m.tool_calls %}\
            {{ c.function.name + ':' + c.function.arguments }}{% endfor %}{% else %}{{ m.content }}{% endif %}\
            {% endfor %}
            """)
        let conversation = TestConversation(.user("q"), .call(arguments: #"{"city":"Oslo","days":2}"#))
        #expect(try chat.render(conversation).prompt == #"qget_weather:{"city":"Oslo","days":2}"#)
    }

    @Test("PT-3: the tool template is used when tools are present")
    func toolTemplate() throws {
        let chat = try TestChat("plain {{ messages[0].content }}", toolSource: "tools {{ messages[0].content }}")
        #expect(try chat.render(TestConversation(.user("x"))).prompt == "plain x")
        #expect(
            try chat.render(TestConversation(.user("x"), tools: [TestConversation.weatherTool])).prompt == "tools x")
    }

    @Test(
        "PT-4: a refused system role is folded into the next user text",
        arguments: [
            (TestConversation(.system("s"), .user("u")), "[user:s\n\nu]"),
            (TestConversation(.system("s"), .system("t"), .user("u")), "[user:s\n\nt\n\nu]"),
            (
                TestConversation(.user("u"), .assistant("a"), .system("s"), .user("v")),
                "[user:u][assistant:a][user:s\n\nv]"
            ),
            (TestConversation(.system("s")), "[user:s]"),
            (TestConversation(.system("s"), .assistant("a")), "[assistant:a][user:s]"),
            (TestConversation(TestMessage(role: "developer", "s"), .user("u")), "[user:s\n\nu]"),
        ])
    func refusedSystemRole(conversation: TestConversation, expected: String) throws {
        let chat = try TestChat(
            """
            {% if messages[0].role == 'system' %}{{ raise_exception('System role not supported') }}{% endif %}\
            {% for m in messages %}[{{ m.role }}:{{ m.content }}]{% endfor %}
            """)
        let rendering = try chat.render(conversation)
        #expect(rendering.prompt == expected)
        #expect(!rendering.templateText.contains("s\n"))
    }

    @Test("PT-4: an accepted system role stays")
    func acceptedSystemRole() throws {
        let chat = try TestChat("{% for m in messages %}[{{ m.role }}:{{ m.content }}]{% endfor %}")
        let conversation = TestConversation(.system("s"), TestMessage(role: "developer", "d"), .user("u"))
        #expect(try chat.render(conversation).prompt == "[system:s][system:d][user:u]")
    }

    @Test(
        "PT-4: content goes in as the template wants it",
        arguments: [
            ("{{ messages[0].content }}", "ab", "a\nb"),
            ("{% for p in messages[0].content %}({{ p.text }}){% endfor %}", "(ab)", "(a)(b)"),
            (
                "{% set c = messages[0].content %}{% if c is string %}{{ c }}{% else %}"
                    + "{% for p in c %}({{ p.text }}){% endfor %}{% endif %}",
                "ab", "(a)(b)"
            ),
        ])
    func contentForms(source: String, fromText: String, fromParts: String) throws {
        let chat = try TestChat(source)
        #expect(try chat.render(TestConversation(.user("ab"))).prompt == fromText)
        let parts = TestMessage(
            json: #"{"role":"user","content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]}"#)
        #expect(try chat.render(TestConversation(parts)).prompt == fromParts)
    }

    @Test(
        "PT-6: a BOS or EOS that the tokenizer adds is not rendered, one in the user's text stays",
        arguments: [
            (true, "<s>hi</s>"), (false, "<s><s>hi</s></s>"),
        ])
    func beginAndEnd(isAdded: Bool, expected: String) throws {
        let chat = try TestChat(
            "{{ bos_token }}{{ messages[0].content }}{{ eos_token }}", bos: "<s>", eos: "</s>", addsBOS: isAdded,
            addsEOS: isAdded)
        let rendering = try chat.render(TestConversation(.user("<s>hi</s>")))
        #expect(rendering.prompt == expected)
        #expect(rendering.segments.contains(.input("<s>hi</s>")))
    }

    @Test("PT-6: only template text counts as a BOS")
    func userTextIsNoBOS() throws {
        let chat = try TestChat("{{ messages[0].content }}", bos: "<s>", eos: "</s>", addsBOS: true, addsEOS: true)
        #expect(try chat.render(TestConversation(.user("<s>hi</s>"))).segments == [.input("<s>hi</s>")])
    }

    @Test("NUL and other control characters of a content are kept")
    func controlCharacters() throws {
        let chat = try TestChat("[{{ messages[0].content }}]")
        let rendering = try chat.render(TestConversation(.user("a\u{0}\u{1}\u{7F}b")))
        #expect(rendering.segments == [.template("["), .input("a\u{0}\u{1}\u{7F}b"), .template("]")])
    }

    @Test("an empty prompt is a prompt")
    func emptyPrompt() throws {
        let rendering = try TestChat("{# nothing #}").render(TestConversation(.user("x")))
        #expect(rendering.prompt.isEmpty)
        #expect(rendering.segments.isEmpty)
    }

    @Test("PT-1: the template's own words are in the error")
    func raised() throws {
        let chat = try TestChat(
            "{% if messages[1].role == 'user' %}{{ raise_exception('roles must\nalternate: user, user') }}{% endif %}x")
        let failure = #expect(throws: ChatFailure.self) { try chat.render(TestConversation(.user("a"), .user("b"))) }
        #expect(failure?.status == CL_TEMPLATE_FAILED)
        #expect(failure?.message == "The chat template refuses the conversation: roles must\nalternate: user, user")
        #expect(try chat.render(TestConversation(.user("a"), .assistant("b"))).prompt == "x")
    }

    @Test("an error names the place in the template")
    func placed() throws {
        let chat = try TestChat("{{ messages[0].content }}\n{{ nosuchfunction() }}")
        let failure = #expect(throws: ChatFailure.self) { try chat.render(TestConversation(.user("secret"))) }
        #expect(failure?.message.hasPrefix("The chat template failed at line 2, column 18: ") == true)
        #expect(failure?.message.contains("secret") == false)
    }

    @Test("several threads may render at once")
    func concurrent() async throws {
        let chat = try TestChat(Self.chatML)
        let expected = try (0..<16).map { try TestChat(Self.chatML).render(TestConversation(.user("message \($0)"))) }
        let rendered = try await withThrowingTaskGroup(of: (Int, TestRendering).self) { group in
            for index in 0..<16 {
                group.addTask { (index, try chat.render(TestConversation(.user("message \(index)")))) }
            }
            return try await group.reduce(into: [Int: TestRendering]()) { $0[$1.0] = $1.1 }
        }
        for index in 0..<16 {
            #expect(rendered[index] == expected[index])
        }
    }
}
