import CarbocationLocalLLM
import Testing

@Suite("Calls as elements within elements")
struct ElementCallDecoderTests {
    private static let book = LLMToolDefinition(
        "book",
        [
            "title": ["type": "string"], "count": ["type": "integer"],
            "tags": ["type": "array", "items": ["type": "string"]],
            "place": ["type": "object", "properties": ["city": ["type": "string"], "zip": ["type": "string"]]],
            "rows": ["type": "array", "items": ["type": "object", "properties": ["n": ["type": "number"]]]],
        ])

    private func summary(_ body: String) -> [String] {
        let namespaced = body.replacing("<", with: "]<]minimax[>[<").replacing("§", with: "<")
        return ElementCallDecoder(tools: [Self.book]).summary(of: namespaced)
    }

    @Test(
        "values get their types from the schema at each level",
        arguments: [
            (
                #"<invoke name="book"><title>A § B</title><count>3</count></invoke>"#,
                #"book {"title":"A < B","count":3}"#
            ),
            (#"<invoke name="book"><tags><item>1</item><item>x</item></tags></invoke>"#, #"book {"tags":["1","x"]}"#),
            (#"<invoke name="book"><tags><item>1</item></tags></invoke>"#, #"book {"tags":["1"]}"#),
            (#"<invoke name="book"><tags></tags><count></count></invoke>"#, #"book {"tags":[]}"#),
            (#"<invoke name="book"><tags>["a"]</tags></invoke>"#, #"book {"tags":["a"]}"#),
            (
                #"<invoke name="book"><place><city>Oslo</city><zip>0150</zip></place></invoke>"#,
                #"book {"place":{"city":"Oslo","zip":"0150"}}"#
            ),
            (
                #"<invoke name="book"><rows><item><n>1.5</n></item><item><n>2</n></item></rows></invoke>"#,
                #"book {"rows":[{"n":1.5},{"n":2}]}"#
            ),
            (#"<invoke name="other"><a><item>1</item></a></invoke>"#, #"other {"a":["1"]}"#),
            ("<invoke name=\"book\">\n<count>3</count>\n</invoke>\n", #"book {"count":3}"#),
        ])
    func values(body: String, expected: String) {
        #expect(summary(body) == [expected])
    }

    @Test("several calls in one body")
    func several() {
        let body = "<invoke name=\"book\"><count>1</count></invoke>\n<invoke name=\"book\"></invoke>\n"
        #expect(summary(body) == [#"book {"count":1}"#, "book {}"])
    }

    @Test(
        "what does not fit is a failure",
        arguments: [
            #"<invoke name="book"><title>A</title>"#, #"<invoke name="book"><title>A</count></invoke>"#,
            #"<invoke name="book"><title>A</invoke>"#, #"<invoke name="book">text<count>1</count></invoke>"#,
            #"<invoke name="book"><place>x<city>y</city></place></invoke>"#, #"<invoke name="book"><title"#,
            #"<invoke name="book">"# + String(repeating: "<a>", count: 1000),
        ])
    func malformed(body: String) {
        #expect(summary(body) == ["!book"])
    }
}
