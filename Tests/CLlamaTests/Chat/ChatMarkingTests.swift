import Testing

/// How marks travel through what templates do with texts.
@Suite("PT-5: marks of input", .needsChatRuntime)
struct ChatMarkingTests {
    /// The segments that `source` prints for a user text, whose mark is shown by guillemets.
    private func marked(_ source: String, _ text: String) throws -> String {
        try TestChat(source).render(TestConversation(.user(text), variables: #"{"n":7}"#)).segments
            .map(\.description).joined()
    }

    @Test(
        "input stays input",
        arguments: [
            ("{{ c }}", "a<x>b", "«a<x>b»"),
            ("{{ '<t>' + c + '</t>' }}", "a", "<t>«a»</t>"),
            ("{{ '<t>' ~ c }}", "a", "<t>«a»"),
            ("{{ c | upper }}{{ c | title }}{{ c | trim }}", "ab ", "«AB Ab ab»"),
            ("{{ c.split(',')[0] }}|{{ c.split(',')[1] }}", "<x>,<y>", "«<x>»|«<y>»"),
            ("{{ c.split('</think>')[0].split('<think>')[-1] }}", "<think><x></think>y", "«<x>»"),
            ("{{ c.rsplit(',', 1)[1] }}", "a,<x>", "«<x>»"),
            ("{{ ('<t>' ~ c ~ '</t>').split('/')[0] }}", "a", "<t>«a»<"),
            ("{{ ('<t>' ~ c ~ ',<u>').split(',')[1] }}", "a", "<u>"),
            ("{{ c | replace('a', '<b>') }}", "xax", "«x<b>x»"),
            ("{{ '<t>@</t>' | replace('@', c) }}", "<x>", "<t>«<x>»</t>"),
            ("{{ ('<t>' ~ c) | replace('<', '[') }}", "<x>", "[t>«»[«x>»"),
            ("{{ [c, '<t>'] | join('|') }}", "<x>", "«<x>»|<t>"),
            ("{{ ['<t>', c] | join(c) }}", "<x>", "<t>«<x><x>»"),
            ("{{ messages | map(attribute='content') | join(',') }}", "<x>", "«<x>»"),
            ("{{ messages | join(attribute='content') }}", "<x>", "«<x>»"),
            ("{{ c | tojson }}", "<x>", "«\"<x>\"»"),
            ("{{ {'k': c} | tojson }}", "<x>", "«{\"k\": \"<x>\"}»"),
            ("{{ {'k': '<t>'} | tojson }}", "x", "{\"k\": \"<t>\"}"),
            ("{{ [c] | string }}", "<x>", "«['<x>']»"),
            ("{{ 't' ~ [c] }}", "<x>", "t«['<x>']»"),
            ("{{ [c] ~ 't' }}", "<x>", "«['<x>']»t"),
            ("{{ c[0] }}{{ c[1:] }}{{ c[::-1] }}", "<x>", "«<x>>x<»"),
            ("{{ ('<t>' ~ c)[1] }}{{ ('<t>' ~ c)[3] }}", "x", "t«x»"),
            ("{{ c }}{{ c.0 }}{{ c.1 }}", "<x>", "«<x><x»"),
            ("{{ ('<t>' ~ c)[1:] }}", "x", "t>«x»"),
            ("{{ '{}-{}'.format('<t>', c) }}", "<x>", "<t>-«<x>»"),
            ("{{ c * 2 }}", "<x>", "«<x><x>»"),
            ("{{ c | indent(2) }}", "a\nb", "«a\n  b»"),
            ("{{ ('<t>' ~ c) | indent(2) }}", "a\nb", "«<t>a\n  b»"),
            ("{% set s %}<t>{{ c }}{% endset %}{{ s }}", "<x>", "<t>«<x>»"),
            ("{% filter upper %}<t>{{ c }}{% endfilter %}", "<x>", "<T>«<X>»"),
            (
                "{% macro m(a) %}<t>{{ a }}{{ caller() }}{% endmacro %}{% call m(c) %}{{ c }}<u>{% endcall %}", "<x>",
                "<t>«<x><x>»<u>"
            ),
            ("{% for k, v in messages[0].items() %}{{ v }}{% endfor %}", "<x>", "user«<x>»"),
            ("{{ c | default('<t>') }}{{ nothing | default('<t>') }}", "<x>", "«<x>»<t>"),
            ("{{ c if c else '<t>' }}", "<x>", "«<x>»"),
            ("{{ n }}{{ c | length }}", "abc", "73"),
            ("{{ c | safe }}{{ c | string }}", "<x>", "«<x><x>»"),
            ("{{ c.strip('<') }}{{ c.lstrip('<') }}{{ c.rstrip('>') }}", "<x>", "«x>x><x»"),
        ])
    func marks(expression: String, text: String, expected: String) throws {
        let source = "{% set c = messages[0].content %}" + expression
        #expect(try marked(source, text).replacing("«»", with: "") == expected.replacing("«»", with: ""))
    }

    private static let tools = [TestConversation.weatherTool]

    @Test(
        "definitions of tools are input, whatever way they are printed",
        arguments: [
            "{{ tools | tojson }}",
            "{{ tools }}",
            "{{ tools | string }}",
            "{% for t in tools %}{{ t | tojson(indent=2) }}{% endfor %}",
            "{% for t in tools %}{% set f = t.function %}{{ f.name }}{{ f.description }}{{ f.parameters }}{% endfor %}",
            "{% for k, v in tools[0].function.parameters.properties.items() %}<{{ k }}>{{ v.description }}{% endfor %}",
            "{% for k in tools[0].function.parameters.properties %}<{{ k }}>{% endfor %}",
            "{{ tools[0].function.parameters.properties.keys() | join('<t>') }}",
        ])
    func toolDefinitions(expression: String) throws {
        let rendering = try TestChat("<tools>" + expression).render(TestConversation(.user("x"), tools: Self.tools))
        let templateText = rendering.templateText
        for text in ["tool-description", "parameter-description", "get_weather", "city"] {
            #expect(!templateText.contains(text))
        }
        #expect(templateText.hasPrefix("<tools>"))
    }

    @Test("arguments, results and thoughts are input")
    func turns() throws {
        let chat = try TestChat(
            """
            {% for m in messages %}<{{ m.role }}>{{ m.reasoning_content }}{{ m.content }}{% for c in m.tool_calls %}\
            {{ c.function.name }}{{ c.function.arguments | tojson }}{% for k, v in c.function.arguments.items() %}\
            <{{ k }}>{{ v }}{% endfor %}{% endfor %}{% endfor %}
            """)
        let rendering = try chat.render(
            TestConversation(
                .user("<q>"), .call(arguments: #"{"<key>":"<value>"}"#), .result("<result>"),
                .assistant("<answer>", thoughts: "<thought>"), tools: Self.tools))
        for text in ["<q>", "<key>", "<value>", "<result>", "<answer>", "<thought>", "get_weather"] {
            #expect(rendering.prompt.contains(text))
            #expect(!rendering.templateText.contains(text))
        }
        #expect(rendering.templateText.contains("<assistant>"))
    }
}
