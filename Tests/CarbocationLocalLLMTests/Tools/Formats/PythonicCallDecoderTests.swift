import CarbocationLocalLLM
import Testing

@Suite("Calls in Python's syntax")
struct PythonicCallDecoderTests {
    private func summary(_ body: String) -> [String] {
        PythonicCallDecoder().summary(of: body)
    }

    @Test(
        "P38: values of all kinds",
        arguments: [
            (#"[add(a=1, s="x, y)")]"#, #"add {"a":1,"s":"x, y)"}"#), ("[now()]", "now {}"), ("now()", "now {}"),
            ("[ now ( ) ]", "now {}"),
            ("[f(a=True, b=None, c=false, d=null)]", #"f {"a":true,"b":null,"c":false,"d":null}"#),
            (#"[f(a={"x": True, 'y': [1, 2.5]}, b=["p", 'q'])]"#, #"f {"a":{"x":true,"y":[1,2.5]},"b":["p","q"]}"#),
            ("[f(a=(1, 2), b=(1,), c=(1), d=())]", #"f {"a":[1,2],"b":[1],"c":1,"d":[]}"#),
            ("[f(a=-1, b=+2, c=1_000, d=.5, e=2., g=1e3)]", #"f {"a":-1,"b":2,"c":1000,"d":0.5,"e":2.0,"g":1000.0}"#),
            (
                #"[f(a='it\'s', b="say \"hi\"", c='\n\t\\', d="\x41\u00e9\101")]"#,
                #"f {"a":"it's","b":"say \"hi\"","c":"\n\t\\","d":"AéA"}"#
            ),
            (#"[f(a="\ud83d\ude00 \ud83d", b="\U0001F600")]"#, #"f {"a":"😀 \#u{FFFD}","b":"😀"}"#),
            (
                #"[f(a=r'\d+', b='''x 'y' z''', c="p" 'q', d='\d')]"#,
                #"f {"a":"\\d+","b":"x 'y' z","c":"pq","d":"\\d"}"#
            ),
            ("[f(\n  a = 1,\n  b = [1,\n 2,],\n)]", #"f {"a":1,"b":[1,2]}"#),
            ("[Calendar.create_event(t='x')]", #"Calendar.create_event {"t":"x"}"#),
            ("[mcp.cal:list-events(limit=5)]", #"mcp.cal:list-events {"limit":5}"#), (#"[f({"a": 1})]"#, #"f {"a":1}"#),
            ("[f({'a': True})]", #"f {"a":true}"#),
            ("[f(größe=1)]", #"f {"größe":1}"#), ("```tool_code\nf(a=1)\n```", #"f {"a":1}"#),
            ("```python\n[f(a=1)]\n```", #"f {"a":1}"#),
            (
                #"foo.call(payload={"name":"bar","parameters":{}})"#,
                #"foo.call {"payload":{"name":"bar","parameters":{}}}"#
            ),
        ])
    func values(body: String, expected: String) {
        #expect(summary(body) == [expected])
    }

    @Test(
        "several calls",
        arguments: [
            "[a(x=1), b()]", "[a(x=1),b(),]", "a(x=1)\nb()", "a(x=1); b()", "[\n a(x=1),\n b()\n]\n", "[a(x=1)\nb()]",
        ])
    func several(body: String) {
        #expect(summary(body) == [#"a {"x":1}"#, "b {}"])
    }

    @Test("P33: a printed call of an invented namespace")
    func printed() {
        #expect(summary("print(default_api.add(a=1))") == [#"default_api.add {"a":1}"#])
        #expect(summary("[print(default_api.add(a=1)), now()]") == [#"default_api.add {"a":1}"#, "now {}"])
        #expect(summary("print(text='x')") == [#"print {"text":"x"}"#])
        #expect(summary("print(add(a=1), 2)") == ["!print"])
    }

    @Test(
        "what is no literal call is a failure, and nothing in its arguments is a call",
        arguments: [
            (#"foo.call(payload={"name":"bar","parameters":{}}"#, ["!foo.call"]), ("f(a=g(b=1))", ["!f"]),
            ("f(1)", ["!f"]), ("f(a=1", ["!f"]), ("f(", ["!f"]),
            ("f(a=x)", ["!f"]), ("f(a=2*3)", ["!f"]), ("f(a=1 b=2)", ["!f"]), ("f(a==1)", ["!f"]),
            ("f(a=1, a=2)", ["!f"]),
            ("f(a='x)", ["!f"]), ("f(a=f'x')", ["!f"]), ("f(a={1: 2})", ["!f"]), ("f(a={1})", ["!f"]),
            ("f(a=007x)", ["!f"]), ("f(**{'a': 1})", ["!f"]),
            ("f({'a': 1}, {'b': 2})", ["!f"]), (#"f(a='\x4')"#, ["!f"]), ("f(a=inf)", ["!f"]), ("text", ["!"]),
            ("f", ["!"]), ("[f(a=1)", ["!f", "!"]), ("[a(x=1), b(", ["!a", "!b"]),
            ("[f(a=1)] + [g()]", ["!f"]), ("f(a=1), b=2)", ["!f"]), ("[f(a=1)])", ["!f"]),
            ("f(a=" + String(repeating: "[", count: 100_000), ["!f"]),
        ])
    func malformed(body: String, expected: [String]) {
        #expect(summary(body) == expected)
    }

    @Test(
        "P02: a call in prose",
        arguments: [
            #"note({"x":"a })] b"})]"#, #" note({"x":"a })] b"})"#, #"[Calling tool: note({"x":"a })] b"})]"#,
            #"[Calling tool: note( {"x": "a })] b"} ) ]"#, #"note(x="a })] b")]"#,
        ])
    func bracketed(body: String) {
        #expect(BracketedCallDecoder().summary(of: body) == [#"note {"x":"a })] b"}"#])
    }

    @Test(
        "P02: what does not decode is never a call",
        arguments: [
            #"[Calling tool: note({"x":"a })]"#, #"note({"x":"a"]"#, #"note({"x":1,,})]"#, "note",
            "[Calling tool: note]", "[Calling", "[",
        ])
    func malformedBracketed(body: String) {
        let results = BracketedCallDecoder().summary(of: body)
        #expect(results.allSatisfy { $0.hasPrefix("!") })
    }

    @Test("P02: several calls, and JSON's escapes")
    func bracketedDetails() {
        #expect(BracketedCallDecoder().summary(of: "a({}), b()]") == ["a {}", "b {}"])
        #expect(BracketedCallDecoder().summary(of: #"f({"u":"a\/b"})]"#) == [#"f {"u":"a/b"}"#])
    }

    @Test("an empty body gives nothing", arguments: ["", " \n", "[]"])
    func empty(body: String) {
        #expect(summary(body).isEmpty)
    }
}
