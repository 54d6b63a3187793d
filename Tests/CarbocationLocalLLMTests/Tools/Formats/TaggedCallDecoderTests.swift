import CarbocationLocalLLM
import Testing

@Suite("Calls with function and parameter tags")
struct TaggedCallDecoderTests {
    private func summary(_ body: String, tools: [LLMToolDefinition] = SampleTools.all) -> [String] {
        TaggedCallDecoder(.functionTags, tools: tools).summary(of: body, tools: tools)
    }

    /// A call of `write` whose text is the value, as the template writes it.
    private func written(_ text: String) -> String {
        "\n<function=write>\n<parameter=text>\n\(text)\n</parameter>\n</function>\n"
    }

    private func expected(_ text: String) -> [String] {
        let arguments: LLMJSONValue = ["text": .string(text)]
        return ["write " + arguments.jsonString()]
    }

    @Test(
        "P04: missing and doubled closing tags",
        arguments: [
            "<function=add>\n<parameter=a>\n1\n<parameter=b>\n2\n</parameter>\n</parameter>\n</function>",
            "<function=add>\n<parameter=a>\n1\n</parameter>\n<parameter=b>\n2\n</parameter>\n</function>",
            "<function=add>\n<parameter=a>\n1\n<parameter=b>\n2\n</function>",
            "<function=add>\n<parameter=a>\n1\n</parameter>\n</parameter>\n<parameter=b>\n2\n</parameter>\n</function>",
            "<function=add>\n<parameter=a>\n1\n</parameter>\n<parameter=b>\n2\n</parameter>",
            "<function=add>\n<parameter=a>\n1\n</parameter>\n<parameter=b>\n2\n</parameter>\n</function>\n</function>",
            "<function=add>\n<parameter=a>1</parameter>\n<parameter=b>2</parameter>\n</function>",
            "<function=add><parameter=a>1</parameter><parameter=b>2</parameter></function>",
            "<function=add><parameter=a>1</parameter></parameter><parameter=b>2</parameter></parameter></function>",
            "<function=add>\n<parameter=a>1</parameter>\n</parameter>\n<parameter=b>2</parameter>\n</function>",
            "<function=add>\n<parameter=a>1\n<parameter=b>2\n</function>",
            "<function=add><parameter=a>1<parameter=b>2</parameter></function>",
            "<function=add><parameter=a>1</parameter><parameter=b>2</function>",
            "<function=add>\n<parameter=a>\n1</parameter>\n<parameter=b>\n2</parameter>\n</function>",
            "<function=add>\n<parameter=a>\n1</parameter></parameter>\n<parameter=b>\n2</parameter></function>",
            "<function=add>\r\n<parameter=a>\r\n1\r\n</parameter>\r\n<parameter=b>\r\n2\r\n</parameter>\r\n</function>",
            "\t<function=add>\n\t\t<parameter=a>\n\t\t1\n\t\t</parameter>\n\t\t"
                + "<parameter=b> 2 </parameter>\n\t</function>",
            "<function=\"add\">\n<parameter=\"a\">\n1\n</parameter>\n<parameter='b'>\n2\n</parameter>\n</function>",
            "<function=add>\n</parameter>\n<parameter=a>\n1\n</parameter>\n<parameter=b>\n2\n</parameter>\n</function>",
            "<function=add>{\"a\":1,\"b\":2}</function>",
            "{\"name\":\"add\",\"arguments\":{\"a\":1,\"b\":2}}",
            "```json\n{\"name\":\"add\",\"arguments\":{\"a\":1,\"b\":2}}\n```",
        ])
    func closingTags(body: String) {
        #expect(summary(body) == [#"add {"a":1,"b":2}"#])
    }

    @Test(
        "P04: the same for text, without any schema",
        arguments: [
            "<function=f>\n<parameter=a>\nx y\n<parameter=b>\nz\n</parameter>\n</parameter>\n</function>",
            "<function=f>\n<parameter=a>\nx y\n</parameter>\n</parameter>\n<parameter=b>\nz\n</function>",
            "<function=f>\n<parameter=a>x y</parameter>\n</parameter>\n<parameter=b>z</parameter></parameter>",
            "<function=f>\n<parameter=a>\nx y</parameter>\n<parameter=b>\nz</parameter>\n</function>",
        ])
    func closingTagsOfText(body: String) {
        #expect(summary(body, tools: []) == [#"f {"a":"x y","b":"z"}"#])
    }

    @Test(
        "P05, P07, P08: values byte for byte",
        arguments: [
            "cd a && test 1 < 2", "when x<3z=4 stop", "a &amp; b &lt; c", "    return 1\n  ", "", " ", "\n", "\n\n",
            "Close it with </parameter> like so.",
            "Close it with </parameter>",
            "</parameter> closes it",
            "line\n</parameter> closes it",
            "line\n</parameter>\nmore",
            "line\n</parameter>\n\nmore <b>",
            "Use <parameter=path> here.",
            "Use <parameter=path>x</parameter> here.",
            "Use <parameter=path>x</parameter>",
            "Use\n<parameter=name>\nx\n</parameter>\nhere",
            "Example:\n<parameter=name>\nx\n</parameter>",
            "Example:\n<parameter=name>\nx\n</parameter>\n<parameter=age>\n3\n</parameter>",
            "Example:\n<function=foo>\n<parameter=x>\n1\n</parameter>\n</function>",
            "Example:\n<function=foo>\n<parameter=x>\n1\n</parameter>\n</function>\ndone",
            "Use this:\n<function=foo>\nto call.", "Use this:\n<function=write>\nto call.", "ends with CR\r",
            "Close it with </parameter><parameter=name> like so.",

            "End with </function>", "</function>\nand more", "End </parameter></function>", "a </function> b",
            "End </parameter>\n</function>",
            "<tool_call>{\"name\":\"add\"}</tool_call>", "<", "</", "</param", "<parameter=", "<function=",
            "<html>\n <p>Hi &amp; bye</p>\n</html>", "tab\tand\r\nCRLF\r\n", "日本語 😀", "<parameter>", "<parameter=>",
        ])
    func values(text: String) {
        #expect(summary(written(text)) == expected(text))
    }

    @Test(
        "P07: values in one line with their tags",
        arguments: [
            "Close it with </parameter> like so.", "Use <parameter=path> here.", "Use <parameter=x>1</parameter>",
            "Use <parameter=x>1</parameter> and <parameter=y>2</parameter>", "a <b> && c", "</function> is a tag", "",
        ])
    func inlineValues(text: String) {
        let bodies = [
            "<function=write><parameter=text>\(text)</parameter></function>",
            "<function=write>\n<parameter=text>\(text)</parameter>\n</function>\n",
        ]
        for body in bodies { #expect(summary(body) == expected(text)) }
    }

    @Test(
        "P07: what remains open to doubt is a failure",
        arguments: [
            // The value has no end.
            "<function=write>\n<parameter=text>\nabc",
            "<function=write>\n<parameter=text>\nabc\n</parameter",
            "<function=write>\n<parameter=text>\nabc\n</parameter>\n</func",
            "<function=write>\n<parameter=text>\nabc </parameter> def\n</function> x",
            // A declared function, or another value for the same parameter, inside of a value.
            "<function=write>\n<parameter=text>\n<function=write>\n<parameter=path>\nx\n</parameter>\n</function>",
            nestedCall(declaring: "path"),
            "<function=write>\n<parameter=text>\na\n<parameter=text>\nb\n</parameter>\n</function>",
            "<function=write>\n<parameter=text>\na\n</parameter>\n<parameter=text>\nb\n</parameter>\n</function>",
            // An undeclared parameter that nothing closes.
            "<function=write>\n<parameter=text>\nUse\n<parameter=name>\nhere\n</parameter>\n</function>",
            // One closing tag is missing and another one is too many.
            "<function=write>\n<parameter=text>\nSay:\n<parameter=path>\nx\n</parameter>\n"
                + "end\n</parameter>\n</function>",
            "<function=write><parameter=text>x</function><function=write>y</parameter></function>",
            "<function=write>\n<parameter=text>\nUse:\n<parameter=path> for it\n</parameter>\n</function>",
            "<function=write>\n<parameter=text>\nx </parameter><parameter=path> y\n</parameter>\n</function>",
            // Text between the tags.
            "<function=write>\nfoo\n<parameter=text>\na\n</parameter>\n</function>",
            "<function=write>\nfoo\n</function>",
            "<function=write",
        ])
    func doubt(body: String) {
        let results = summary(body)
        #expect(results.allSatisfy { $0.hasPrefix("!") })
        #expect(!results.isEmpty)
    }

    @Test("P07: a parameter given twice alike is no doubt")
    func repeatedAlike() {
        let body = "<function=write>\n<parameter=text>\na\n</parameter>\n<parameter=text>\na\n</parameter>\n</function>"
        #expect(summary(body) == expected("a"))
    }

    @Test(
        "several functions in one body",
        arguments: [
            """
            <function=add>
            <parameter=a>
            1
            </parameter>
            </function>
            <function=write>
            <parameter=text>
            x
            </parameter>
            </function>
            """,
            "<function=add><parameter=a>1</parameter></function>"
                + "<function=write><parameter=text>x</parameter></function>",
            "<function=add>\n<parameter=a>\n1\n</parameter>\n<function=write>\n<parameter=text>\nx\n</parameter>",
            "<function=add><parameter=a>1</parameter><function=write><parameter=text>x</parameter></function>",
        ])
    func severalFunctions(body: String) {
        #expect(summary(body) == [#"add {"a":1}"#, #"write {"text":"x"}"#])
    }

    @Test(
        "a function without parameters",
        arguments: ["", "\n", "\n</function>", "</function>\n", "\n</function>\n</function>"])
    func noParameters(rest: String) {
        #expect(summary("<function=now>" + rest) == ["now {}"])
    }

    @Test("P09: an empty value in one line with the next parameter")
    func emptyValue() {
        let body = "<function=find>\n<parameter=limit>\n</parameter><parameter=q>\nnone\n</parameter>\n</function>"
        #expect(summary(body) == [#"find {"q":"none"}"#])
    }

    @Test("P04, P07: a missing closing tag next to a literal one")
    func missingAndLiteral() {
        let tools = [LLMToolDefinition("w", ["n": ["type": "integer"], "text": ["type": "string"]])]
        let body =
            "<function=w>\n<parameter=n>\n1\n<parameter=text>\nx\n"
            + "</parameter> y\n</parameter>\n</parameter>\n</function>"
        #expect(summary(body, tools: tools) == [#"w {"n":1,"text":"x\n</parameter> y"}"#])
    }

    @Test("P12: a missing parameter is for the validator")
    func missingParameter() {
        let body = "\n<function=write>\n<parameter=path>\na.txt\n</parameter>\n</function>\n"
        #expect(summary(body) == [#"write {"path":"a.txt"}"#])
    }

    @Test("undeclared parameters stay text")
    func undeclaredParameters() {
        let body = "<function=add>\n<parameter=a>\n1\n</parameter>\n<parameter=z>\n2\n</parameter>\n</function>"
        #expect(summary(body) == [#"add {"a":1,"z":"2"}"#])
    }

    @Test(
        "what is no call at all", arguments: ["text", "<parameter=a>\n1\n</parameter>", "</function>x", "<function=>"])
    func noCall(body: String) {
        #expect(summary(body) == ["!"])
    }

    @Test("nothing is no call", arguments: ["", " \n"])
    func nothing(body: String) {
        #expect(summary(body).isEmpty)
    }
}

/// A call whose text holds a complete example of another call with a declared parameter.
private func nestedCall(declaring key: String) -> String {
    """
    <function=write>
    <parameter=path>
    a.txt
    </parameter>
    <parameter=text>
    Example:
    <function=write>
    <parameter=\(key)>
    b.txt
    </parameter>
    </function>
    done
    </parameter>
    </function>
    """
}
