import CarbocationLocalLLM
import Testing

@Suite("Calls with tags of other families")
struct TaggedFamiliesTests {
    private static let read = LLMToolDefinition(
        "read", ["path": ["type": "string"], "lines": ["type": "integer"], "all": ["type": "boolean"]])

    @Test(
        "P30: GLM, where the name ends at the first tag or line end",
        arguments: [
            ("read<arg_key>path</arg_key><arg_value>/a b</arg_value>", #"read {"path":"/a b"}"#),
            ("read\n<arg_key>path</arg_key>\n<arg_value>/a b</arg_value>\n", #"read {"path":"/a b"}"#),
            ("\n read \n<arg_key> path </arg_key> <arg_value>/a b</arg_value>", #"read {"path":"/a b"}"#),
            ("read<arg_key>path</arg_key><arg_value>\n/a\n</arg_value>", #"read {"path":"/a"}"#),
            (
                "read<arg_key>path</arg_key><arg_value>x</arg_value><arg_key>lines</arg_key><arg_value>3</arg_value>",
                #"read {"path":"x","lines":3}"#
            ),
            (
                "read<arg_key>lines</arg_key><arg_value>3<arg_key>path</arg_key><arg_value>x</arg_value>",
                #"read {"lines":3,"path":"x"}"#
            ),
            (
                "read<arg_key>path</arg_key><arg_value>x</arg_value></arg_value>\n"
                    + "<arg_key>all</arg_key><arg_value>True</arg_value>",
                #"read {"path":"x","all":true}"#
            ),
            (
                "read<arg_key>path</arg_key><arg_value>a </arg_value> b < c</arg_value>",
                #"read {"path":"a </arg_value> b < c"}"#
            ),
            ("list", "list {}"), ("list\n", "list {}"), ("mcp.cal:list-events", "mcp.cal:list-events {}"),
            ("read\n{\"path\":\"x\"}", #"read {"path":"x"}"#),
        ])
    func argumentPairs(body: String, expected: String) {
        let decoder = TaggedCallDecoder(.argumentPairs, tools: [Self.read])
        #expect(decoder.summary(of: body, tools: [Self.read]) == [expected])
    }

    @Test(
        "P30: what follows a name and is no argument makes the call a failure with that name",
        arguments: [
            "read<path>/a</path>", "read<arg_value>/a</arg_value>", "read</arg_key>x", "read\nthe file",
            "read<arg_key>path</arg_key>", "read<arg_key>path</arg_key><arg_value>/a",
            "read<arg_key>path</arg_key>/a</arg_value>",
        ])
    func malformedPairs(body: String) {
        #expect(TaggedCallDecoder(.argumentPairs, tools: [Self.read]).summary(of: body) == ["!read"])
    }

    @Test("Hunyuan: a suffix in each tag and a separator after the name")
    func suffixedPairs() {
        let body = """
            read<tool_sep:oss>
            <arg_key:oss>path</arg_key:oss>
            <arg_value:oss>/a</arg_value:oss>
            <arg_key:oss>lines</arg_key:oss>
            <arg_value:oss>2</arg_value:oss>

            """
        let decoder = TaggedCallDecoder(.argumentPairs(suffix: ":oss"), tools: [Self.read])
        #expect(decoder.summary(of: body, tools: [Self.read]) == [#"read {"path":"/a","lines":2}"#])
    }

    @Test(
        "MiniMax and its kin: invocations with named parameters",
        arguments: ["", "｜DSML｜", "atem:"])
    func invocations(namespace: String) {
        let body = """
            <\(namespace)invoke name="read">
            <\(namespace)parameter name="path">/a "b" </c></\(namespace)parameter>
            <\(namespace)parameter name="lines">3</\(namespace)parameter>
            </\(namespace)invoke>
            <\(namespace)invoke name="now">
            </\(namespace)invoke>

            """
        let decoder = TaggedCallDecoder(.invokeTags(namespace: namespace), tools: [Self.read])
        #expect(
            decoder.summary(of: body, tools: [Self.read]) == [#"read {"path":"/a \"b\" </c>","lines":3}"#, "now {}"])
    }

    @Test("DeepSeek's markup says whether a value is text")
    func deepSeekMarkup() {
        let body = """
            <｜DSML｜invoke name="f">
            <｜DSML｜parameter name="t" string="true">10</｜DSML｜parameter>
            <｜DSML｜parameter name="n" string="false">10</｜DSML｜parameter>
            <｜DSML｜parameter name="l" string="false">["a", {"b": null}]</｜DSML｜parameter>
            </｜DSML｜invoke>
            """
        let expected = #"f {"t":"10","n":10,"l":["a",{"b":null}]}"#
        #expect(TaggedCallDecoder(.deepSeekMarkup).summary(of: body) == [expected])
    }

    @Test("Kimi K3: tags from separate tokens with attributes")
    func separatedTags() {
        let body =
            #"<|open|>call tool="read" index="1"<|sep|>"#
            + #"<|open|>argument key="path" type="string"<|sep|>/a<|close|>argument<|sep|>"#
            + #"<|open|>argument key="lines" type="number"<|sep|>2<|close|>argument<|sep|><|close|>call<|sep|>"#
            + #"<|open|>call tool="now" index="2"<|sep|><|close|>call<|sep|>"#
        let decoder = TaggedCallDecoder(.separatedTags, tools: [Self.read])
        #expect(decoder.summary(of: body) == [#"read {"path":"/a","lines":2}"#, "now {}"])
    }

    @Test("MiniCPM: character data is taken out of its marks, and may hold closing tags")
    func characterData() {
        let body = #"""
            <function name="sh"><param name="cmd"><![CDATA[a && b </param></function> ]] c
            ]]></param><param name="n">x & y</param></function>
            """#
        #expect(
            TaggedCallDecoder(.namedFunctionTags).summary(of: body)
                == [#"sh {"cmd":"a && b </param></function> ]] c\n","n":"x & y"}"#])
    }

    @Test("Seed: values in one line with their tags")
    func seed() {
        let body = """

            <function=edit>
            <parameter=file>foo.cpp</parameter>
            <parameter=old>def foo(arg = "14"):
                return arg + "bar"</parameter>
            </function>

            """
        #expect(
            TaggedCallDecoder(.functionTags).summary(of: body)
                == [#"edit {"file":"foo.cpp","old":"def foo(arg = \"14\"):\n    return arg + \"bar\""}"#])
    }

    @Test(
        "Functionary 3.1 and others: JSON behind the name",
        arguments: [
            (.functionTags, #"<function=add>{"a":1}</function>"#, [#"add {"a":1}"#]),
            (.functionTags, "\n<function=add>\n{\"a\": 1}\n</function>\n", [#"add {"a":1}"#]),
            (
                .functionTags, #"<function=a>{}</function><function=b>{"x":"</function>"}</function>"#,
                ["a {}", #"b {"x":"</function>"}"#]
            ),
            (.functionTags, #"<function=a>{}<function=b>{"x":1}"#, ["a {}", #"b {"x":1}"#]),
            (.functionTags, #"<function=add>{"a":</function>"#, ["!add"]),
            (.functionTags, #"<function=add>{"a":1"#, ["!add"]),
            (.functionTags, #"<function=add>{"a":1}}</function>"#, ["!add"]),
            (.invokeTags, #"<invoke name="add">{"a":1}</invoke>"#, [#"add {"a":1}"#]),
            (.argumentPairs, "add\n{\"a\":1}", [#"add {"a":1}"#]),
            (.argumentPairs, "add{\"a\":1}\n", [#"add {"a":1}"#]),
        ] as [(TaggedCallSyntax, String, [String])])
    func jsonArguments(syntax: TaggedCallSyntax, body: String, expected: [String]) {
        #expect(TaggedCallDecoder(syntax).summary(of: body) == expected)
    }

    @Test("a syntax found by analysis of a template")
    func analysis() {
        let generic = TaggedCallSyntax(
            functionPrefix: "<fn name=\"", functionSuffix: "\">\n", functionClose: "</fn>\n", keyPrefix: "<p key=\"",
            keySuffix: "\" type=\"string\">", valuePrefix: "", valueSuffix: "</p>\n",
            fillers: ["<args>", "</args>", ","])
        let body =
            "<fn name=\"f\">\n<args><p key=\"a\" type=\"string\">1</p>,\n"
            + "<p key=\"b\" type=\"number\">2</p>\n</args></fn>\n"
        #expect(TaggedCallDecoder(generic).summary(of: body) == [#"f {"a":"1","b":2}"#])
        let pairs = TaggedCallSyntax(
            functionPrefix: "", functionSuffix: "\n", functionClose: "", keyPrefix: "<arg_key>",
            keySuffix: "</arg_key>\n", valuePrefix: "<arg_value>", valueSuffix: "</arg_value>\n")
        #expect(pairs == .argumentPairs.withoutFillers)
    }
}

extension TaggedCallSyntax {
    fileprivate var withoutFillers: Self {
        var syntax = self
        syntax.fillers = []
        return syntax
    }
}
