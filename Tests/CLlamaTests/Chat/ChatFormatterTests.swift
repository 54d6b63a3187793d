import CLlama
import Testing

@Suite("What a template is written in", .needsChatRuntime)
struct ChatFormatterTests {
    @Test("PT-7: a legacy name is rendered by the older API, with the same marks")
    func legacyName() throws {
        let chat = try TestChat("chatml")
        let rendering = try chat.render(TestConversation(.system("s"), .user("a<|im_end|>")))
        #expect(chat.formatter == "legacy-c-api")
        #expect(
            rendering.segments == [
                .template("<|im_start|>system\n"), .input("s"), .template("<|im_end|>\n<|im_start|>user\n"),
                .input("a<|im_end|>"), .template("<|im_end|>\n<|im_start|>assistant\n"),
            ])
    }

    @Test("PT-7: legacy templates that trim contents keep their marks", arguments: ["gemma", "llama2", "deepseek"])
    func legacyTrimming(name: String) throws {
        let chat = try TestChat(name)
        let rendering = try chat.render(TestConversation(.user("  one \n"), .assistant(" two "), .user(" three ")))
        #expect(rendering.segments.map(\.text).joined() == rendering.prompt)
        let inputs = rendering.segments.filter(\.isInput).map { $0.text.filter { !$0.isWhitespace } }
        #expect(inputs == ["one", "two", "three"])
    }

    @Test("PT-7: a NUL in a content does not end it")
    func legacyNul() throws {
        let rendering = try TestChat("chatml").render(TestConversation(.user("a\u{0}b")))
        #expect(rendering.segments.contains(.input("a\u{0}b")))
    }

    @Test(
        "PT-7: contents that look like placeholders stay contents",
        arguments: ["\u{1}0\u{1}", "\u{1}\u{1}\u{1}", "", "0"])
    func legacyPlaceholders(text: String) throws {
        let rendering = try TestChat("chatml").render(TestConversation(.user(text), .user("x")))
        #expect(rendering.prompt.hasPrefix("<|im_start|>user\n\(text)<|im_end|>\n<|im_start|>user\nx<|im_end|>"))
    }

    @Test(
        "PT-7, T21: a Go template is named",
        arguments: [
            "{{- if .System }}{{ .System }}{{ end }}",
            "{{ .Prompt }}",
            "{{range .Messages}}{{.Content}}{{end}}",
            "{{ range $i, $m := .Messages }}{{ end }}",
            #"{{ template "system" . }}"#,
            "{{- .System -}}",
        ])
    func goTemplate(source: String) {
        let failure = #expect(throws: ChatFailure.self) { try TestChat(source) }
        #expect(failure?.status == CL_TEMPLATE_FAILED)
        #expect(failure?.message.contains("Go template") == true)
    }

    @Test(
        "PT-7: Jinja that resembles Go is Jinja",
        arguments: [
            ("{{ range(3) | join }}", "012"), ("{% set end = 'x' %}{{ end }}", "x"), ("{{ '.' }}", "."),
            ("{{ 'a' if true else 'b' }}", "a"), ("{{ template | default('t') }}", "t"),
        ])
    func resemblesGo(source: String, expected: String) throws {
        #expect(try TestChat(source).render(TestConversation(.user("x"))).prompt == expected)
    }

    @Test("PT-1: text that neither engine knows is refused", arguments: ["", "just words", "chatmm"])
    func unknown(source: String) {
        let failure = #expect(throws: ChatFailure.self) { try TestChat(source) }
        #expect(failure?.status == CL_TEMPLATE_FAILED)
        #expect(failure?.message == "The chat template is neither Jinja nor a name that llama.cpp knows.")
    }

    @Test("PT-1: broken Jinja of a known form falls back to the older API")
    func brokenButKnown() throws {
        let chat = try TestChat("{% for m in messages %}{{ '<|im_start|>' }} {% unknowntag %}{{ '<|im_end|>' }}")
        #expect(chat.formatter == "legacy-c-api")
        #expect(try chat.render(TestConversation(.user("x"))).prompt.hasPrefix("<|im_start|>user\nx"))
    }

    @Test("PT-1: a broken tool template is an error, too")
    func brokenToolTemplate() {
        let failure = #expect(throws: ChatFailure.self) { try TestChat("{{ 1 }}", toolSource: "{{ ") }
        #expect(failure?.message.hasPrefix("The chat template is not valid Jinja: ") == true)
    }

    @Test("Windows and old Mac line ends are line ends", arguments: ["\r\n", "\r", "\n"])
    func lineEnds(lineEnd: String) throws {
        let source = "{% if true %}\na\n{% endif %}\nb\n".replacing("\n", with: lineEnd)
        #expect(try TestChat(source).render(TestConversation(.user("x"))).prompt == "a\nb")
    }
}
