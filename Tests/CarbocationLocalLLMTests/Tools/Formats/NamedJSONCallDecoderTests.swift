import CarbocationLocalLLM
import Testing

@Suite("Calls as a name and arguments in JSON")
struct NamedJSONCallDecoderTests {
    private func summary(_ syntax: NamedJSONCallSyntax, _ body: String) -> [String] {
        NamedJSONCallDecoder(syntax).summary(of: body)
    }

    @Test(
        "P13: Mistral",
        arguments: [
            (#"add[ARGS]{"a":1}"#, [#"add {"a":1}"#]), (#" add [ARGS] {"a":1} "#, [#"add {"a":1}"#]),
            (#"add{"a":1}"#, [#"add {"a":1}"#]), (#"[TOOL_CALLS]add[ARGS]{"a":1}"#, [#"add {"a":1}"#]),
            (#"add[CALL_ID]abc123[ARGS]{"a":1}"#, [##"#abc123 add {"a":1}"##]),
            (#"add[ARGS]{"a":1}[TOOL_CALLS]add[ARGS]{"a":2}"#, [#"add {"a":1}"#, #"add {"a":2}"#]),
            (#"add[ARGS]{"a":1}, sub[ARGS]{"a":2}"#, [#"add {"a":1}"#, #"sub {"a":2}"#]),
            (#"add[ARGS]"{\"a\":1}""#, [#"add {"a":1}"#]), ("now[ARGS]{}", ["now {}"]), ("now[ARGS]null", ["now {}"]),
            (#"say[ARGS]{"t":"[TOOL_CALLS]rm[ARGS]{}"}"#, [#"say {"t":"[TOOL_CALLS]rm[ARGS]{}"}"#]),
            (
                #"[{"name":"add","arguments":{"a":1}},{"name":"add","arguments":{"a":2}}]"#,
                [#"add {"a":1}"#, #"add {"a":2}"#]
            ),
            (#" [{'name':'say','arguments':{'text':'hi'}}]"#, [#"say {"text":"hi"}"#]),
            ("add[ARGS]{\"a\":1}\nDone.", [#"add {"a":1}"#]),
            ("add", ["!add"]), ("add[ARGS]", ["!add"]), (#"add[ARGS]{"a":"#, ["!add"]), ("add[ARGS][1]", ["!add"]),
            ("add[ARGS]3", ["!add"]), (#"add[ARGS]{"a":1},"b":2}"#, ["!add"]), (#"add[ARGS]{"a":1}}"#, ["!add"]),
            (#"add[ARGS]{"a":1}, b: 2}"#, ["!add"]),
            (#"[ARGS]{"a":1}"#, ["!"]), (#"add[ARGS]{"a":[1 [TOOL_CALLS]now[ARGS]{}"#, ["!add", "now {}"]),
        ])
    func mistral(body: String, expected: [String]) {
        #expect(summary(.mistral, body) == expected)
    }

    @Test(
        "Functionary: a line with the name",
        arguments: [
            ("add\n{\"a\":1}", [#"add {"a":1}"#]),
            (">>>add\n{\"a\":1}\n>>>now\n{}", [#"add {"a":1}"#, "now {}"]),
            ("add\r\n{\"a\": 1}", [#"add {"a":1}"#]), ("add", ["!add"]),
            ("add\n", ["!add"]), ("add\n{\"a\":", ["!add"]),
        ])
    func functionary(body: String, expected: [String]) {
        #expect(summary(.functionaryLines, body) == expected)
    }

    @Test(
        "P20: DeepSeek, where the next call bounds the search",
        arguments: [
            ("function<｜tool▁sep｜>add\n```json\n{\"a\":1}\n```", [#"add {"a":1}"#]),
            ("function<｜tool▁sep｜>add\n```json\n{\"a\":1}\n```<｜tool▁call▁end｜>", [#"add {"a":1}"#]),
            ("add<｜tool▁sep｜>{\"a\":1}", [#"add {"a":1}"#]), ("function<｜tool▁sep｜>{\"a\":1}", [#"function {"a":1}"#]),
            ("add<｜tool▁sep｜>\n{\"a\":1}\n", [#"add {"a":1}"#]),
            ("function<｜tool▁sep｜>add\n{\"a\":1}", [#"add {"a":1}"#]),
            (
                "function<｜tool▁sep｜>bad<｜tool▁call▁begin｜>function<｜tool▁sep｜>good\n```json\n{\"a\":1}\n```",
                ["!bad", #"good {"a":1}"#]
            ),
            (
                "function<｜tool▁sep｜>bad\n```json\n{\"a\":[1<｜tool▁call▁begin｜>good<｜tool▁sep｜>{\"a\":1}",
                ["!bad", #"good {"a":1}"#]
            ),
            ("bad<｜tool▁call▁begin｜>good<｜tool▁sep｜>{\"a\":1}<｜tool▁call▁end｜>", ["!bad", #"good {"a":1}"#]),
            (
                "a<｜tool▁sep｜>{}<｜tool▁call▁end｜>\n<｜tool▁call▁begin｜>b<｜tool▁sep｜>{\"x\":\"```\"}<｜tool▁call▁end｜>",
                ["a {}", #"b {"x":"```"}"#]
            ),
            ("function<｜tool▁sep｜>now\n", ["!now"]), ("function<｜tool▁sep｜>", ["!"]),
            (
                "say<｜tool▁sep｜>{\"t\":\"<｜tool▁call▁begin｜>rm<｜tool▁sep｜>{}\"}",
                [#"say {"t":"<｜tool▁call▁begin｜>rm<｜tool▁sep｜>{}"}"#]
            ),
            ("bad<｜tool▁sep｜>{\"t\":\"<｜tool▁call▁begin｜>rm<｜tool▁sep｜>{}", ["!bad"]),
        ])
    func deepSeek(body: String, expected: [String]) {
        #expect(summary(.deepSeek, body) == expected)
    }

    @Test(
        "P19: Kimi, whose ids hold the name",
        arguments: [
            (#"functions.get_x:0<|tool_call_argument_begin|>{"q":"a"}"#, [##"#functions.get_x:0 get_x {"q":"a"}"##]),
            ("get_y:1<|tool_call_argument_begin|>{}", ["#get_y:1 get_y {}"]),
            ("get_y:1<|tool_call_argument_begin|>", ["#get_y:1 get_y {}"]),
            ("get_y:1<|tool_call_argument_begin|> \n", ["#get_y:1 get_y {}"]),
            ("get_y<|tool_call_argument_begin|>{}", ["get_y {}"]),
            (
                "functions.mcp.cal:list-events:12<|tool_call_argument_begin|>{}",
                ["#functions.mcp.cal:list-events:12 mcp.cal:list-events {}"]
            ),
            (
                #"<|tool_call_begin|>functions.a:0<|tool_call_argument_begin|>{}<|tool_call_end|>"#
                    + #"<|tool_call_begin|>b:1<|tool_call_argument_begin|>{}<|tool_call_end|>"#,
                ["#functions.a:0 a {}", "#b:1 b {}"]
            ),
            ("get_y:1", ["#get_y:1 !get_y"]), (#"f:0<|tool_call_argument_begin|>{"a":"#, ["#f:0 !f"]),
            ("f:0<|tool_call_argument_begin|>[1]", ["#f:0 !f"]),
        ])
    func kimi(body: String, expected: [String]) {
        #expect(summary(.kimi, body) == expected)
    }

    @Test("Solar: the id before the name")
    func solar() {
        let body = #"abc1<|tool_call:name|>add<|tool_call:args|>{"a":1}"#
        #expect(summary(.solar, body) == [##"#abc1 add {"a":1}"##])
        #expect(summary(.solar, "abc1<|tool_call:name|>add<|tool_call:args|>{\"a\"") == ["#abc1 !add"])
    }

    @Test("an empty body gives nothing", arguments: [NamedJSONCallSyntax.mistral, .kimi, .deepSeek, .functionaryLines])
    func empty(syntax: NamedJSONCallSyntax) {
        #expect(summary(syntax, " \n").isEmpty)
    }
}
