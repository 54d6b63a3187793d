import CarbocationLocalLLM
import Testing

@Suite("Calls in JSON")
struct JSONCallDecoderTests {
    private func summary(_ body: String) -> [String] {
        JSONCallDecoder().summary(of: body)
    }

    @Test(
        "one call, however its keys are named",
        arguments: [
            #"{"name":"add","arguments":{"a":1}}"#, #"{"name":"add","parameters":{"a":1}}"#,
            #"{"tool_name":"add","args":{"a":1}}"#, #"{"function":"add","parameters":{"a":1}}"#,
            #"{"type":"function","name":"add","parameters":{"a":1}}"#,
            #"{"type":"function","function":{"name":"add","arguments":{"a":1}}}"#,
            #"{"function":{"name":"add"},"arguments":{"a":1}}"#,
            #"{"function":{"name":"add","arguments":"{\"a\":1}"}}"#, #"{"arguments":{"a":1},"name":" add "}"#,
            #"[{"name":"add","arguments":{"a":1}}]"#, #"{"tool_calls":[{"name":"add","arguments":{"a":1}}]}"#,
            "\n{\n  \"name\": \"add\",\n  \"arguments\": {\n    \"a\": 1\n  }\n}\n",
            "```json\n{\"name\":\"add\",\"arguments\":{\"a\":1}}\n```",
            "```{\"name\":\"add\",\"arguments\":{\"a\":1}}```",
            #"{"name":"add","arguments":{"a":1}};"#,
            "{\"name\":\"add\",\"arguments\":{\"a\":1}}\nI have called it.",
            #"{'name': 'add', 'arguments': {'a': 1}}"#,
        ])
    func keys(body: String) {
        #expect(summary(body) == [#"add {"a":1}"#])
    }

    @Test(
        "P13, P15: several calls",
        arguments: [
            #"[{"name":"add","arguments":{"a":1}},{"name":"add","arguments":{"a":2}}]"#,
            #"{"name":"add","parameters":{"a":1}}; {"name":"add","parameters":{"a":2}}"#,
            "{\"name\":\"add\",\"parameters\":{\"a\":1}}\n{\"name\":\"add\",\"parameters\":{\"a\":2}}",
            #"{"name":"add","arguments":{"a":1}}{"name":"add","arguments":{"a":2}}"#,
            #"{"name":"add","arguments":{"a":1}}, {"name":"add","arguments":{"a":2}}"#,
            #"[{"name":"add","arguments":{"a":1}}][{"name":"add","arguments":{"a":2}}]"#,
            #"{"tool_calls":[{"function":{"name":"add","arguments":{"a":1}}},{"name":"add","arguments":{"a":2}}]}"#,
        ])
    func several(body: String) {
        #expect(summary(body) == [#"add {"a":1}"#, #"add {"a":2}"#])
    }

    @Test(
        "ids in calls",
        arguments: [
            (#"{"id":"call_7","function":{"name":"f","arguments":"{}"}}"#, "#call_7 f {}"),
            (#"{"tool_call_id":"0","tool_name":"f","parameters":{}}"#, "#0 f {}"),
            (#"{"call_id":3,"name":"f"}"#, "#3 f {}"), (#"{"id":" ","name":"f"}"#, "f {}"),
            (#"{"id":null,"name":"f","arguments":{"id":"x"}}"#, #"f {"id":"x"}"#),
        ])
    func ids(body: String, expected: String) {
        #expect(summary(body) == [expected])
    }

    @Test(
        "P31: arguments in every form",
        arguments: [
            (#"{"name":"now","arguments":""}"#, "now {}"), (#"{"name":"now","arguments":"  "}"#, "now {}"),
            (#"{"name":"now","arguments":null}"#, "now {}"), (#"{"name":"now"}"#, "now {}"),
            (#"{"name":"now","arguments":"{}"}"#, "now {}"),
            (#"{"name":"now","arguments":"{\"a\":[1]}"}"#, #"now {"a":[1]}"#),
            (#"{"name":"now","arguments":[1]}"#, "!now"), (#"{"name":"now","arguments":3}"#, "!now"),
            (#"{"name":"now","arguments":true}"#, "!now"), (#"{"name":"now","arguments":"text"}"#, "!now"),
            (#"{"name":"now","arguments":"[1]"}"#, "!now"), (#"{"name":"now","arguments":"{\"a\":1"}"#, "!now"),
            (#"{"name":"now","arguments":"\"{}\""}"#, "!now"),
        ])
    func arguments(body: String, expected: String) {
        #expect(summary(body) == [expected])
    }

    @Test("arguments that were not written are told from empty ones")
    func missingArguments() {
        let decoder = JSONCallDecoder()
        #expect(decoder.decode(#"{"name":"now"}"#) == [.success(DecodedToolCall(name: "now", arguments: .missing))])
        let empty = ToolCallDecodingResult.success(DecodedToolCall(name: "now", arguments: .json([:])))
        #expect(decoder.decode(#"{"name":"now","arguments":null}"#) == [empty])
    }

    @Test("P14: single quotes, and apostrophes in double-quoted text")
    func quotes() {
        #expect(summary("[{'name':'say','arguments':{'text':'hi'}}]") == [#"say {"text":"hi"}"#])
        #expect(
            summary(#"[{"name":"say","arguments":{"text":"it's \"ok\""}}]"#) == [#"say {"text":"it's \"ok\""}"#])
        #expect(
            summary(#"[{'name': 'say', 'arguments': {'text': "it's", 'n': None, 'b': True}}]"#) == [
                #"say {"text":"it's","n":null,"b":true}"#
            ])
        #expect(summary(#"[{'name':'say','arguments':{'text':'it\'s "ok"'}}]"#) == [#"say {"text":"it's \"ok\""}"#])
    }

    @Test("P34: escaped surrogates")
    func surrogates() {
        let body = #"{"name":"say","arguments":{"t":"\ud83d\ude00 \u00e9 \ud83d"}}"#
        #expect(summary(body) == [#"say {"t":"😀 é \#u{FFFD}"}"#])
        #expect(summary(body.replacing("\"", with: "'")) == [#"say {"t":"😀 é \#u{FFFD}"}"#])
    }

    @Test("brackets and quotes in strings")
    func structureInStrings() {
        let arguments: LLMJSONValue = ["t": "end } here ] \" { ' </tool_call> ```"]
        let body = #"{"name":"say","arguments":\#(arguments.jsonString())}"#
        #expect(summary(body) == ["say " + arguments.jsonString()])
    }

    @Test(
        "P03, P28: cut-off and malformed calls fail with their name and id",
        arguments: [
            (#"{"name":"calc","arguments":{"values":[1, 2"#, "!calc"),
            (#"{"name":"calc","arguments":{"values":[1, 2]"#, "!calc"), (#"{"name":"calc","arg"#, "!calc"),
            (#"{"arguments":{"name":"x"},"name":"calc""#, "!calc"),
            (#"{"id":"c1","name":"calc","arguments":"#, "#c1 !calc"),
            (#"{"function":{"name":"calc","arguments":{"name":"x""#, "!calc"), (#"{"name":"ca"#, "!"), ("{", "!"),
            ("[", nil),
            (#"{"name":"calc","arguments":{"a":1,}}"#, "!calc"), (#"{"name":"calc","arguments":{"a":01}}"#, "!calc"),
            (#"{"name":"calc","arguments":{a:1}}"#, "!calc"), (#"{"name":"calc","arguments":{"a":True}}"#, "!calc"),
            ("{\"name\":\"calc\",\"arguments\":{\"a\":\"x\ny\"}}", "!calc"),
            (#"{"name":"calc" "arguments":{}}"#, "!calc"),
            (#"[{"name":"calc","arguments":{}}"#, "!calc"), (#"[{"name":"calc","arguments":{}},"#, "!calc"),
            (#"{"name":"calc","arguments":{}}}"#, "!calc"), (#"{"name":"calc","arguments":{}},"mode":"x"}"#, "!calc"),
            (#"{"name":"calc","arguments":{}}, mode: 1}"#, "!calc"), (#"{"arguments":{}}"#, "!"),
            (#"{"name":"","arguments":{}}"#, "!"), (#"{"name":5,"arguments":{}}"#, "!"),
            ("text", "!"), ("[1,2]", "!"), (#"["add"]"#, "!"), ("{}", "!"), (#"{"tool_calls":[1]}"#, "!"),
            (String(repeating: "[", count: 600), nil), (String(repeating: "{\"a\":", count: 600), "!"),
        ] as [(String, String?)])
    func malformed(body: String, expected: String?) {
        #expect(summary(body).filter { $0 != "!" || expected == "!" } == [expected].compactMap(\.self))
    }

    @Test("a malformed call in a list leaves the others alone")
    func malformedElement() {
        let body = #"[{"name":"a","arguments":{"x":1,}},{"name":"b","arguments":{}}]"#
        #expect(summary(body) == ["!a", "b {}"])
    }

    @Test("nothing of a list without its end is a call")
    func listWithoutEnd() {
        let body = #"[{"name":"a","arguments":{}},{"name":"b","arguments":{"x":"#
        #expect(summary(body) == ["!a", "!b"])
    }

    @Test("what stands in the strings of a malformed call is no call")
    func callInMalformedString() {
        let body = #"{"name":"say","arguments":{"t":"x"","u":"{'name':'rm','arguments':{}}"}}"#
        #expect(summary(body).allSatisfy { $0.hasPrefix("!") })
    }

    @Test("a body with nothing in it", arguments: ["", " \n", "[]", "```json\n```"])
    func empty(body: String) {
        #expect(summary(body).isEmpty)
    }

    @Test(
        "Apertus: the name as the key",
        arguments: [
            (#"[{"get_weather": {"city": "Oslo"}}]"#, [#"get_weather {"city":"Oslo"}"#]),
            (#"[{"a": {}}, {"b": {"x": 1}}]"#, ["a {}", #"b {"x":1}"#]),
            (#"{"a": {}, "b": "{\"x\":1}"}"#, ["a {}", #"b {"x":1}"#]), (#"[{"a": null}]"#, ["a {}"]),
            (#"[{"a": 3}]"#, ["!a"]), (#"[{"name":"a","arguments":{}}]"#, ["a {}"]), (#"[{"a": {"x": "#, ["!a"]),
            (#"[{"name": {"x": 1}}]"#, [#"name {"x":1}"#]),
        ])
    func nameAsKey(body: String, expected: [String]) {
        #expect(JSONCallDecoder(namePlace: .key).summary(of: body) == expected)
    }

    @Test(
        "P28: arguments by themselves",
        arguments: [
            (#"{"u":"x"}"#, #"f {"u":"x"}"#), ("", "f {}"), (" \n", "f {}"), ("null", "f {}"),
            (#""{\"u\":1}""#, #"f {"u":1}"#),
            (#"{"d":{"a":{"b":1}}"#, "!f"), ("[1]", "!f"), ("text", "!f"), (#"{"u":1} {"v":2}"#, "!f"),
            ("{'u':1}", "!f"),
        ])
    func argumentsAlone(text: String, expected: String) {
        #expect(describe([JSONArgumentsDecoder().decode(text[...], name: "f")]) == [expected])
    }
}
