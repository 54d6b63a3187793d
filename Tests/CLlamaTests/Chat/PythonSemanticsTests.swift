import Testing

/// What templates rely on that llama.cpp does differently from Python's Jinja.
///
/// The expected texts are Python's.
@Suite("Templates as Python reads them", .needsChatRuntime)
struct PythonSemanticsTests {
    /// A template that prints variables named `v`, and what Python prints.
    struct Case: Sendable, CustomTestStringConvertible {
        var source: String
        var expected: String
        var variables: String

        init(_ source: String, _ expected: String, _ variables: String = "{}") {
            self.source = source
            self.expected = expected
            self.variables = variables
        }

        var testDescription: String { source }
    }

    private static let spelling: [Case] = [
        Case("{{ none }}|{{ v }}|{{ nothing }}", "None|None|", #"{"v":null}"#),
        Case("{{ v }}", "[1, 'a', None, True, {'k': 1.5}]", #"{"v":[1,"a",null,true,{"k":1.5}]}"#),
        Case("{{ [] }}{{ {} }}{{ {'a': []}.items() | list }}", "[]{}[('a', [])]"),
        Case("{{ v }}|{{ v | string }}|{{ '' ~ v }}", "{'a': 'b'}|{'a': 'b'}|{'a': 'b'}", #"{"v":{"a":"b"}}"#),
        Case("{{ none ~ 1 ~ true ~ nothing ~ [1] }}", "None1True[1]"),
        Case("{{ [none, 1, 0.5, true, 'a', [2]] | join('-') }}", "None-1-0.5-True-a-[2]"),
        Case("{{ none | upper }}|{{ [1, 'a'] | upper }}|{{ none | trim }}", "NONE|[1, 'A']|None"),
        Case(
            "{{ v }}", #"["it's", 'a "b"', 'it\'s "c"', 'd\\e\n\t\r\x01\x7f\xa0\u200b\U000e0041', 'é日😀']"#,
            #"{"v":["it's","a \"b\"","it's \"c\"","d\\e\n\t\r\u0001\u007f\u00a0\u200b\udb40\udc41","é日😀"]}"#),
    ]

    private static let numbers: [Case] = [
        Case(
            "{{ v | join(' ') }}",
            "0.1 0.1234567 1e-07 1e-05 0.0001 1.0 100.0 -0.0 123456789.123 9999999999999998.0 1e+16 1e+22 5e-324",
            #"{"v":[0.1,0.1234567,1e-7,1e-5,0.0001,1.0,100.0,-0.0,123456789.123,9999999999999998.0,1e16,1e22,5e-324]}"#),
        Case(
            "{{ v }} {{ v | string }} {{ v | tojson }} {{ [v] }}", "2.50001 2.50001 2.50001 [2.50001]",
            #"{"v":2.50001}"#),
        Case(
            "{{ v | tojson }}", #"{"a": 59.9138688, "b": 1.0, "c": 1e-07}"#, #"{"v":{"a":59.9138688,"b":1.0,"c":1e-7}}"#
        ),
        Case(
            "{{ v }} {{ v | tojson }} {{ v + 1 }}", "9007199254740993 9007199254740993 9007199254740994",
            #"{"v":9007199254740993}"#),
        Case("{{ (0 - 1) % 2 }} {{ 7 % 3 }} {{ 7 % (0 - 3) }} {{ (0 - 6) % 3 }}", "1 1 -2 0"),
    ]

    private static let reductions: [Case] = [
        Case(
            "{{ v | sum }} {{ v | sum(start=2) }} {{ [] | sum }} {{ [0.5, 1, true] | sum }}", "6 8 0 2.5",
            #"{"v":[1,2,3]}"#),
        Case("{{ v | sum(attribute='n') }} {{ v | sum('n', 1) }}", "3.5 4.5", #"{"v":[{"n":1},{"n":2.5}]}"#),
        Case("{{ v | sum(attribute='f.n') }}", "3", #"{"v":[{"f":{"n":1}},{"f":{"n":2}}]}"#),
        Case("{{ v | unique | list }}", "['a', 'b', 1, None, '1']", #"{"v":["a","b","A",1,1.0,null,"1",true]}"#),
        Case("{{ v | unique(case_sensitive=true) | join('-') }}", "a-A", #"{"v":["a","A","a"]}"#),
        Case(
            "{{ v | unique(attribute='t.n') | map(attribute='i') | join(',') }}", "1,3",
            #"{"v":[{"i":1,"t":{"n":"x"}},{"i":2,"t":{"n":"X"}},{"i":3,"t":{"n":"y"}}]}"#),
        Case("{% for n in v | unique %}{{ n }}{{ ',' if not loop.last }}{% endfor %}", "b,a", #"{"v":["b","a","b"]}"#),
        Case(
            "{{ v | round }} {{ 42 | round }} {{ 42.4 | round }} {{ -0.4 | round }}", "43.0 42 42.0 -0.0",
            #"{"v":42.55}"#),
        Case("{{ 0.5 | round }} {{ 1.5 | round }} {{ 2.5 | round | int }} {{ 2.675 | round(2) }}", "0.0 2.0 2 2.67"),
        Case(
            "{{ 42.55 | round(1, 'floor') }} {{ 42.51 | round(1, 'ceil') }} {{ 7 | round(method='ceil') }}",
            "42.5 42.6 7.0"),
    ]

    private static let json: [Case] = [
        Case(
            "{{ v | tojson(indent=2) }}", "{\n  \"a\": [\n    1.0,\n    []\n  ],\n  \"b\": {}\n}",
            #"{"v":{"a":[1.0,[]],"b":{}}}"#),
        Case("{{ v | tojson(indent=0) }}", "[\n1,\n2\n]", #"{"v":[1,2]}"#),
        Case(
            "{{ v | tojson(sort_keys=true) }}", #"{"a": {"c": 1, "d": 2}, "b": 3}"#, #"{"v":{"b":3,"a":{"d":2,"c":1}}}"#
        ),
        Case("{{ v | tojson(separators=(',', ':')) }}", #"{"a":[1,2]}"#, #"{"v":{"a":[1,2]}}"#),
        Case("{{ v | tojson(ensure_ascii=true) }}", #""\u00e9\ud83d\ude00\u007f<""#, #"{"v":"é😀\u007f<"}"#),
        Case("{{ v | tojson }}", #""é\"\\\n\u0001'/""#, #"{"v":"é\"\\\n\u0001'/"}"#),
    ]

    private static let characters: [Case] = [
        Case("{{ v | length }} {{ v[1] }} {{ v[-1] }} {{ v[9] is defined }}", "5 é b False", #"{"v":"aé日😀b"}"#),
        Case(
            "{{ v[1:4] }} {{ v[:-1] }} {{ v[-2:] }} {{ v[::-1] }} {{ v[::2] }}", "é日😀 aé日😀 😀b b😀日éa a日b",
            #"{"v":"aé日😀b"}"#),
        Case("{{ v[5:] }}|{{ v[3:1] }}|{{ v[-9:2] }}|{{ v[1:99] }}|{{ v[99:0:-1] }}", "||ab|bc|cb", #"{"v":"abc"}"#),
        Case("{{ v | trim }}|{{ v.lstrip() }}|{{ v.rstrip() }}", "a|a\u{3000}|\u{A0}\na", #"{"v":"\u00a0\na\u3000"}"#),
        Case("{{ v.rstrip('©') }}|{{ v.strip('é') }}|{{ v.lstrip('éa') }}", "éaé|a|", #"{"v":"éaé"}"#),
        Case(
            "{{ v.split() }}|{{ ''.split() }}|{{ 'a  b'.split(' ') }}", "['a', 'b']|[]|['a', '', 'b']",
            #"{"v":" a \n b "}"#),
    ]

    private static let lists: [Case] = [
        Case("{{ v | dictsort }}", "[('a', 2), ('B', 1), ('c', 3)]", #"{"v":{"B":1,"a":2,"c":3}}"#),
        Case("{% for k, w in v | dictsort %}{{ k }}{{ w }}{% endfor %}", "a2B1c3", #"{"v":{"B":1,"a":2,"c":3}}"#),
        Case(
            "{{ v | dictsort(true) }}{{ v | dictsort(by='value', reverse=true) }}",
            "[('B', 1), ('a', 2)][('a', 2), ('B', 1)]", #"{"v":{"B":1,"a":2}}"#),
        Case(
            "{{ v | sort }}{{ v | sort(case_sensitive=true) }}{{ v | sort(reverse=true) }}",
            "['A', 'b']['A', 'b']['b', 'A']", #"{"v":["b","A"]}"#),
        Case(
            "{{ v | sort(attribute='n') | map(attribute='n') | join }}", "aBc",
            #"{"v":[{"n":"c"},{"n":"B"},{"n":"a"}]}"#),
        Case("{{ v | map(attribute='f.n') | join(',') }}", "a,b,", #"{"v":[{"f":{"n":"a"}},{"f":{"n":"b"}},{}]}"#),
        Case("{{ v | map(attribute='f.n', default='-') | join(',') }}", "a,-", #"{"v":[{"f":{"n":"a"}},{}]}"#),
        Case("{{ nothing in ['a'] }}{{ nothing not in ('a', 'b') }}{{ nothing in {'a': 1} }}", "FalseTrueFalse"),
        Case("{{ v in [['a'], 'b'] }}{{ v in ['a', 'b'] }}{{ v not in [] }}", "TrueFalseTrue", #"{"v":["a"]}"#),
        Case("{{ none | default('d') }}{{ none | default('d', true) }}{{ nothing | default('d') }}", "Nonedd"),
    ]

    private static let scopes: [Case] = [
        Case("{% for i in [1, 2] %}{% if loop.first %}{% set s = i %}{% endif %}[{{ s }}]{% endfor %}", "[1][]"),
        Case("{% set s = 0 %}{% for i in [1, 2] %}{% set s = s + i %}{{ s }}{% endfor %}{{ s }}", "120"),
        Case("{% set n = namespace(s=0) %}{% for i in [1, 2] %}{% set n.s = n.s + i %}{% endfor %}{{ n.s }}", "3"),
        Case("{% for i in [1, 2, 3] %}{% if i == 2 %}two{% continue %}{% endif %}{{ i }}{% endfor %}", "1two3"),
        Case(
            "{% for i in [1, 2, 3] %}{% if i == 2 %}a{% if true %}b{% break %}{% endif %}c{% endif %}{{ i }}{% endfor %}",
            "1ab"),
        Case("{% for i in [1, 2] %}{% for j in [1, 2] %}{{ j }}{% break %}{% endfor %}{{ i }}{% endfor %}", "1112"),
        Case(
            "{% macro m(a, b='x', c='y') %}{{ a }}{{ b }}{{ c }};{% endmacro %}{{ m(1, c=2) }}{{ m(c=3, a=4) }}{{ m(5) }}",
            "1x2;4x3;5xy;"),
        Case(
            "{% macro m(a, b=a) %}[{{ a }}{{ b }}{{ a is defined }}]{% endmacro %}{{ m() }}{{ m(1) }}",
            "[False][11True]"),
        Case("{% macro m(a) %}{{ caller(a) }}{% endmacro %}{% call(x) m(a=7) %}<{{ x }}>{% endcall %}", "<7>"),
    ]

    @Test(
        "a template prints what Python prints",
        arguments: spelling + numbers + reductions + json + characters + lists + scopes)
    func prints(case: Case) throws {
        let conversation = TestConversation(.user("x"), variables: `case`.variables)
        #expect(try TestChat(`case`.source).render(conversation).prompt == `case`.expected)
    }

    @Test(
        "T05: the last character of a user's text", arguments: [("hi", "i"), ("caf\u{E9}", "\u{E9}"), ("", "")])
    func lastCharacter(text: String, expected: String) throws {
        let chat = try TestChat("{{ messages[0].content ~ '' }}|{{ (messages[0].content ~ '')[-1] }}")
        #expect(try chat.render(TestConversation(.user(text))).prompt == "\(text)|\(expected)")
    }

    @Test("numbers of calls and tools keep all their digits")
    func digits() throws {
        let chat = try TestChat(
            "{{ tools | tojson }}{% for m in messages %}{% for c in m.tool_calls or [] %}"
                + "{{ c.function.arguments | tojson }}{% endfor %}{% endfor %}")
        let tool =
            #"{"type":"function","function":{"name":"f","description":"","parameters":"#
            + #"{"type":"object","properties":{"x":{"type":"number","maximum":1.0,"multipleOf":0.0000125}}}}}"#
        let rendering = try chat.render(
            TestConversation(.user("x"), .call(arguments: #"{"x":59.91386880000001}"#), .result("y"), tools: [tool]))
        #expect(rendering.prompt.contains(#"{"type": "number", "maximum": 1.0, "multipleOf": 1.25e-05}"#))
        #expect(rendering.prompt.contains(#"{"x": 59.91386880000001}"#))
    }

    @Test(
        "without a generation prompt the variable is false, not undefined",
        arguments: [
            "{{ add_generation_prompt }}",
            "{% if not add_generation_prompt is defined %}{% set add_generation_prompt = true %}{% endif %}"
                + "{{ add_generation_prompt }}",
        ])
    func noGenerationPrompt(source: String) throws {
        let chat = try TestChat(source)
        let off = TestConversation(.user("x"), options: [#""add_generation_prompt":false"#])
        #expect(try chat.render(off).prompt == "False")
        #expect(try chat.render(TestConversation(.user("x"))).prompt == "True")
    }
}
