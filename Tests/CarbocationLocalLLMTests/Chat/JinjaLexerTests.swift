import Testing

@testable import CarbocationLocalLLM

@Suite("JinjaLexer")
struct JinjaLexerTests {
    @Test("cuts tags into names, texts and symbols")
    func tokens() {
        let tags = JinjaLexer.tags(in: "text {%- if a.b == 'x\\'y' -%} more {{ c|d(\"}}\", 12) }}{# {{ no }} #}")
        #expect(
            tags == [
                [
                    .symbol("-"), .name("if"), .name("a.b"), .symbol("=="), .text("x'y"), .symbol("-"),
                ],
                [
                    .name("c"), .symbol("|"), .name("d"), .symbol("("), .text("}}"), .symbol(","), .name("12"),
                    .symbol(")"),
                ],
            ])
    }

    @Test("a fragment without tags is taken for the inside of one")
    func fragment() {
        #expect(JinjaLexer.tags(in: "a >= 'é'") == [[.name("a"), .symbol(">="), .text("é")]])
        #expect(JinjaLexer.tags(in: "") == [[]])
    }

    @Test("unfinished tags, texts and comments end with the template", arguments: ["{{ a", "{{ 'a", "{# a", "{{ 'a\\"])
    func unfinished(template: String) {
        #expect(JinjaLexer.tags(in: template).count <= 1)
    }
}
