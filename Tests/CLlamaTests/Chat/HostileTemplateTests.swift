import CLlama
import Testing

/// A template that tries to hang, crash or exhaust the process.
struct HostileTemplate: Sendable, CustomTestStringConvertible {
    var name: String
    var source: String

    init(_ name: String, _ source: String) {
        self.name = name
        self.source = source
    }

    var testDescription: String { name }
}

@Suite("Hostile chat templates", .needsChatRuntime, .serialized)
struct HostileTemplateTests {
    /// What compiling and rendering came to.
    private func outcome(of source: String) -> ChatFailure? {
        do {
            let chat = try TestChat(source)
            _ = try chat.render(TestConversation(.user("Hi"), tools: [TestConversation.weatherTool]))
            return nil
        } catch {
            return error
        }
    }

    /// The process is none the worse for it.
    private func expectHealthy() throws {
        let chat = try TestChat("{% for m in messages %}<{{ m.role }}>{{ m.content }}{% endfor %}")
        #expect(try chat.render(TestConversation(.user("Hi"))).prompt == "<user>Hi")
    }

    @Test("SC-7: a bound is reached within 5 seconds", arguments: HostileTemplate.exhausting)
    func bound(template: HostileTemplate) throws {
        var failure: ChatFailure?
        let elapsed = ContinuousClock().measure { failure = outcome(of: template.source) }
        #expect(failure?.status == CL_LIMIT_EXCEEDED)
        #expect(failure?.message.hasPrefix("The chat template ") == true)
        // The limits keep to 5 s of their own; the rest is room for a machine that runs other tests.
        #expect(elapsed < .seconds(8))
        try expectHealthy()
    }

    @Test("SC-8: what would crash llama.cpp is refused", arguments: HostileTemplate.crashing)
    func crash(template: HostileTemplate) throws {
        let failure = outcome(of: template.source)
        #expect(failure?.status == CL_TEMPLATE_FAILED)
        #expect(failure?.message.hasPrefix("The chat template failed at line 1, column ") == true)
        try expectHealthy()
    }

    @Test("SC-7: broken syntax is an error of its own", arguments: HostileTemplate.broken)
    func broken(template: HostileTemplate) throws {
        let failure = outcome(of: template.source)
        #expect(failure?.status == CL_TEMPLATE_FAILED)
        #expect(failure?.message.hasPrefix("The chat template is not valid Jinja: ") == true)
        #expect(failure?.message.contains("\n") == false)
        try expectHealthy()
    }

    @Test("templates near a bound still render", arguments: HostileTemplate.harmless)
    func harmless(template: HostileTemplate) {
        #expect(outcome(of: template.source) == nil)
    }

    @Test("SC-7: a template that is slow only for some contents is ended when it meets them")
    func slowForSomeContents() throws {
        let chat = try TestChat(
            """
            {% if 'slow' in messages[0].content %}{% for i in range(9999) %}{% for j in range(9999) %}{% endfor %}\
            {% endfor %}{% endif %}{{ messages[0].content }}
            """)
        #expect(try chat.render(TestConversation(.user("quick"))).prompt == "quick")
        let failure = #expect(throws: ChatFailure.self) { try chat.render(TestConversation(.user("slow"))) }
        #expect(failure?.status == CL_LIMIT_EXCEEDED)
        #expect(try chat.render(TestConversation(.user("quick"))).prompt == "quick")
    }

    @Test("output may be larger for a larger request")
    func outputFollowsRequest() throws {
        let chat = try TestChat(
            "{{ messages[0].content }}{% if messages[0].content|length > 99 %}{{ messages[0].content }}{% endif %}")
        let long = String(repeating: "word ", count: 1_000_000)
        #expect(try chat.render(TestConversation(.user(long))).prompt.utf8.count == 10_000_000)
    }

    @Test("a list is printed as it is when it is printed, whatever becomes of it before the block ends")
    func printedThenChanged() throws {
        let chat = try TestChat("{% set a = ['x'] %}{% if true %}{{ a }}{% set _ = a.append(a) %}{% endif %}")
        #expect(try chat.render(TestConversation(.user("Hi"))).prompt == "['x']")
    }

    @Test(
        "values that contain themselves are freed",
        arguments: [
            "{% set ns = namespace() %}{% set ns.own = ns %}",
            "{% set list = [] %}{% set _ = list.append(list) %}",
            "{% set ns = namespace() %}{% set ns.method = ns.items %}",
            "{% set _ = messages.append([messages]) %}",
            "{% macro m(n) %}{% set n.c = caller %}{% endmacro %}{% set n = namespace() %}{% call m(n) %}{% endcall %}",
        ])
    func cycles(source: String) throws {
        let chat = try TestChat(source + "ok")
        #expect(try chat.render(TestConversation(.user("Hi"))).prompt == "ok")
    }
}
