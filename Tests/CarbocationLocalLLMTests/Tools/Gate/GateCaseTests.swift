import CarbocationLocalLLM
import TestSupport
import Testing

@Suite("Outputs that are known to break parsers of calls")
struct GateCaseTests {
    typealias Case = GateContractTests.Case

    static let add = GateTools.add

    static let bracketed = #"[Calling tool: note({"x":"a })] b"})]"#
    static let noteTool = [GateTools.tool("note", ["x": ["type": "string"]])]

    @Test("P02: the end of a call in brackets is not inside its strings", arguments: ToolCallSyntax.Family.allCases)
    func bracketEnd(family: ToolCallSyntax.Family) {
        let run = GateRun.everyChunking(ToolGate.of(family, Self.noteTool), Turn(Self.bracketed))
        #expect(run.names == [#"note {"x":"a })] b"}"#])
        #expect(run.final == "")
    }

    @Test(
        "P02: brackets in prose are no call",
        arguments: [
            "[Calling tool: the weather service]", "[Calling tool: note", "[Calling tool: note(]",
            #"[Calling tool: other({"x":"a"})]"#, "[Calling tools]",
        ])
    func bracketsInProse(text: String) {
        let run = GateRun.everyChunking(ToolGate.of(.hermes, Self.noteTool), Turn(text))
        #expect(run.names.isEmpty)
        #expect(run.final + (run.incompleteCall ?? "") == text || run.rejected.count == 1)
    }

    @Test(
        "P03: arguments that are cut off run nothing",
        arguments: [
            #"<tool_call>{"name":"calc","arguments":{"values":[1, 2"#, #"<tool_call>{"name":"calc","arguments":{"#,
            #"<tool_call>{"name":"calc","arguments":{"values":"a"#, #"<tool_call>{"name":"calc","arguments":{"v":1}"#,
            "<tool_call>", "<tool_call>\n<function=calc>\n<parameter=values>\n[1, 2", "<tool_call>\n<function=calc>\n",
        ])
    func cutOff(output: String) {
        let tools = [GateTools.tool("calc", ["values": ["type": "array"]])]
        let run = GateRun.everyChunking(ToolGate.of(.hermes, tools), Turn("Well, " + output))
        #expect(run.names.isEmpty)
        #expect(run.rejected.isEmpty)
        #expect(run.final == "Well, ")
        #expect(run.incompleteCall == output)
    }

    @Test("P03: malformed arguments are a mistake that shows the schema")
    func malformed() {
        let tools = [GateTools.tool("calc", ["values": ["type": "array"]])]
        let output = #"<tool_call>{"name":"calc","arguments":{"values":[1, 2}</tool_call>"#
        let run = GateRun.everyChunking(ToolGate.of(.hermes, tools), Turn(output))
        #expect(run.names.isEmpty)
        #expect(run.rejected.map(\.code) == [.invalidArguments])
        #expect(run.rejected.first?.name == "calc")
        #expect(run.rejected.first?.message.contains(#""values":{"type":"array"}"#) == true)
        #expect(run.rejected.first?.raw == output)
    }

    static let tagged: [Case] = [
        Case(
            family: .hermes,
            output: "<tool_call>\n<function=add>\n<parameter=a>\n1\n<parameter=b>\n2\n</parameter>\n</parameter>\n"
                + "</function>\n</tool_call>",
            calls: [#"add {"a":1,"b":2}"#]),
        Case(
            family: .hermes, output: call("sh", "cmd", "cd a && test 1 < 2"), tools: [text("sh", "cmd")],
            calls: [#"sh {"cmd":"cd a && test 1 < 2"}"#]),
        Case(
            family: .hermes, output: call("sh", "cmd", "a &amp; b"), tools: [text("sh", "cmd")],
            calls: [#"sh {"cmd":"a &amp; b"}"#]),
        Case(
            family: .hermes, output: call("sh", "cmd", "when x<3z=4 stop"), tools: [text("sh", "cmd")],
            calls: [#"sh {"cmd":"when x<3z=4 stop"}"#]),
        Case(
            family: .hermes, output: call("write", "text", "Close it with </parameter> like so."),
            tools: [text("write", "text")], calls: [#"write {"text":"Close it with </parameter> like so."}"#]),
        Case(
            family: .hermes, output: call("write", "text", "End with </tool_call> and </function> there."),
            tools: [text("write", "text")],
            calls: [#"write {"text":"End with </tool_call> and </function> there."}"#]),
        Case(
            family: .hermes, output: call("write", "text", "First\n</tool_call>\nthen more."),
            tools: [text("write", "text")], calls: [#"write {"text":"First\n</tool_call>\nthen more."}"#]),
        Case(
            family: .hermes, output: call("write", "text", "use </parameter>\n</function>\n</tool_call> as the end"),
            tools: [text("write", "text")],
            calls: [#"write {"text":"use </parameter>\n</function>\n</tool_call> as the end"}"#]),
        Case(
            family: .hermes, output: call("write", "text", "x") + " I wait.", tools: [text("write", "text")],
            calls: [#"write {"text":"x"}"#]),
        Case(
            family: .hermes, output: call("write", "text", "Begin with <tool_call> or <function=x> then."),
            tools: [text("write", "text")],
            calls: [#"write {"text":"Begin with <tool_call> or <function=x> then."}"#]),
        Case(
            family: .hermes, output: call("run", "code", "    return 1\n  "), tools: [text("run", "code")],
            calls: [#"run {"code":"    return 1\n  "}"#]),
        Case(
            family: .hermes,
            output: "<tool_call><function=find><parameter=limit>\n</parameter><parameter=q>\nnone\n</parameter>"
                + "</function></tool_call>",
            tools: [GateTools.tool("find", ["limit": ["type": "integer"], "q": ["type": "string"]], required: ["q"])],
            calls: [#"find {"q":"none"}"#]),
        Case(
            family: .hermes,
            output: "<tool_call><function=f><parameter=n>10</parameter><parameter=zip>00501</parameter>"
                + "<parameter=ok>True</parameter><parameter=tags>[\"a\"]</parameter><parameter=x>7</parameter>"
                + "</function></tool_call>",
            tools: [
                GateTools.tool(
                    "f",
                    [
                        "n": ["type": "number"], "zip": ["type": "string"], "ok": ["type": "boolean"],
                        "tags": ["type": "array"],
                    ])
            ], calls: [#"f {"n":10,"zip":"00501","ok":true,"tags":["a"],"x":"7"}"#]),
        Case(
            family: .hermes, output: "<tool_call>\n<function=now>\n</function>\n</tool_call>", calls: ["now {}"]),
        Case(
            family: .hermes, output: "<function=now>\n</function>\n</tool_call>", calls: ["now {}"]),
        Case(
            family: .hermes, output: "<tool_call>\n<tool_call>\n{\"name\":\"now\"}\n</tool_call>", calls: ["now {}"]),
    ]

    static func call(_ tool: String, _ key: String, _ value: String) -> String {
        "<tool_call>\n<function=\(tool)>\n<parameter=\(key)>\n\(value)\n</parameter>\n</function>\n</tool_call>"
    }

    static func text(_ tool: String, _ key: String) -> LLMToolDefinition {
        GateTools.tool(tool, [key: ["type": "string"]])
    }

    @Test("P04, P05, P07, P08, P09: values in tags", arguments: tagged)
    func tags(test: Case) { GateContractTests.check(test) }

    @Test("P12: a missing parameter is a mistake that names it")
    func missingParameter() {
        let tool = GateTools.tool(
            "write", ["path": ["type": "string"], "content": ["type": "string"]], required: ["path", "content"])
        let run = GateRun.everyChunking(ToolGate.of(.hermes, [tool]), Turn(Self.call("write", "path", "a.txt")))
        #expect(run.names.isEmpty)
        #expect(run.rejected.map(\.code) == [.invalidArguments])
        #expect(run.rejected.first?.message.contains("/content") == true)
        #expect(run.rejected.first?.arguments == ["path": "a.txt"])
        #expect(run.isComplete)
    }

    static let lists: [Case] = [
        Case(
            family: .mistral,
            output: #"[TOOL_CALLS] [{"name":"add","arguments":{"a":1}},{"name":"add","arguments":{"a":2}}]"#,
            calls: [#"add {"a":1}"#, #"add {"a":2}"#]),
        Case(
            family: .mistral, output: #"[TOOL_CALLS]add[ARGS]{"a":1}[TOOL_CALLS]add[ARGS]{"a":2}"#,
            calls: [#"add {"a":1}"#, #"add {"a":2}"#]),
        Case(
            family: .mistral, output: "[TOOL_CALLS][{'name':'say','arguments':{'text':'hi'}}]\n\nNow waiting.",
            calls: [#"say {"text":"hi"}"#]),
        Case(
            family: .mistral, output: #"[TOOL_CALLS][{"name":"say","arguments":{"text":"it's \"ok\""}}]"#,
            calls: [#"say {"text":"it's \"ok\""}"#]),
        Case(family: .mistral, output: "Use [TOOL_CALLS] as the marker.", final: "Use [TOOL_CALLS] as the marker."),
        Case(family: .llama, output: #"{"name":"add","parameters":{"a":1}}"#, calls: [#"add {"a":1}"#]),
        Case(
            family: .llama,
            output: #"<|python_tag|>{"name":"add","parameters":{"a":1}}; {"name":"add","parameters":{"a":1}}"#,
            calls: [#"add {"a":1}"#, #"add {"a":1}"#]),
        Case(family: .llama, output: #"Here: {"name":"Bo"}"#, final: #"Here: {"name":"Bo"}"#),
        Case(family: .llama, output: #"{"name":"add"}"#, final: #"{"name":"add"}"#),
        Case(
            family: .llama, output: #"{"type":"function","name":"add","parameters":{"a":1}}"#,
            calls: [#"add {"a":1}"#]),
        Case(
            family: .hermes,
            output: #"<think>maybe <tool_call>{"name":"add","arguments":{"a":1}}</tool_call> or just say "#
                + "`<function=...>`</think>" + #"<tool_call>{"name":"add","arguments":{"a":2}}</tool_call>"#,
            thinking: #"maybe <tool_call>{"name":"add","arguments":{"a":1}}</tool_call> or just say `<function=...>`"#,
            calls: [#"add {"a":2}"#]),
        Case(
            family: .hermes, output: "Use `<tool_call>{\"name\":\"now\"}</tool_call>` or <tool_call> tags.",
            final: "Use `<tool_call>{\"name\":\"now\"}</tool_call>` or <tool_call> tags."),
        Case(
            family: .hermes, output: "Within <tool_call></tool_call> tags, or `<tool_call>`.",
            final: "Within <tool_call></tool_call> tags, or `<tool_call>`."),
        Case(
            family: .hermes, output: "I call `now`<tool_call>{\"name\":\"now\"}</tool_call>", final: "I call `now`",
            calls: ["now {}"]),
        Case(
            family: .plain, output: "I call `now`{\"tool_calls\":[{\"name\":\"now\"}]}", final: "I call `now`",
            calls: ["now {}"]),
    ]

    @Test("P13, P14, P15, P17: lists, bare objects and mentions", arguments: lists)
    func callLists(test: Case) { GateContractTests.check(test) }

    static func kimi(_ opener: String, _ closer: String) -> Case {
        Case(
            family: .kimi,
            output: opener + #"<|tool_call_begin|>functions.get_x:0<|tool_call_argument_begin|>{"q":"a"}"#
                + "<|tool_call_end|><|tool_call_begin|>get_y:1<|tool_call_argument_begin|>{}<|tool_call_end|>"
                + closer,
            tools: [GateTools.tool("get_x", ["q": ["type": "string"]]), GateTools.tool("get_y")],
            calls: [#"get_x {"q":"a"}"#, "get_y {}"], rawIDs: ["functions.get_x:0", "get_y:1"])
    }

    @Test(
        "P19: ids of Kimi, with every spelling of the section",
        arguments: [
            kimi("<|tool_calls_section_begin|>", "<|tool_calls_section_end|>"),
            kimi("<|tool_call_section_begin|>", "<|tool_call_section_end|>"), kimi("", ""),
        ])
    func kimiIDs(test: Case) { GateContractTests.check(test) }

    @Test("P20: a malformed call does not swallow the next")
    func malformedFirst() {
        let output =
            "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>bad<｜tool▁call▁begin｜>function"
            + "<｜tool▁sep｜>good\n```json\n{\"a\":1}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>"
        let tools = [GateTools.tool("bad"), GateTools.tool("good", ["a": ["type": "integer"]])]
        let run = GateRun.everyChunking(ToolGate.of(.deepSeek, tools), Turn(output))
        #expect(run.names == [#"good {"a":1}"#])
        #expect(run.rejected.map(\.code) == [.invalidArguments])
        #expect(run.final == "")
    }

    @Test("P20: a string without an end does not swallow the next call")
    func openString() {
        let output =
            #"<tool_call>{"name":"say","arguments":{"text":"hi}}</tool_call>"# + "\n"
            + #"<tool_call>{"name":"now"}</tool_call>"#
        let run = GateRun.everyChunking(ToolGate.of(.hermes), Turn(output))
        #expect(run.names == ["now {}"])
        #expect(run.rejected.map(\.code) == [.invalidArguments])
        #expect(run.rejected.first?.name == "say")
    }

    @Test("a complete call counts beside one that is cut off")
    func cutOffBehind() {
        let cut = #"<tool_call>{"name":"add","argu"#
        let run = GateRun.everyChunking(ToolGate.of(.hermes), Turn(#"<tool_call>{"name":"now"}</tool_call>"# + cut))
        #expect(run.names == ["now {}"])
        #expect(run.incompleteCall == cut)
        #expect(run.isComplete)
    }

    static let gemma: [Case] = [
        Case(
            family: .gemma, output: #"<|tool_call>call:find{place:Rome, Italy<|"|>,max:3}<tool_call|>"#,
            tools: [GateTools.tool("find")], calls: [#"find {"place":"Rome, Italy","max":3}"#]),
        Case(
            family: .gemma, output: #"<|tool_call>call:f{ids:["x"],k:['y'],o:{"m": "z"}}<tool_call|>"#,
            tools: [GateTools.tool("f")], calls: [#"f {"ids":["x"],"k":["y"],"o":{"m":"z"}}"#]),
        Case(
            family: .gemma, output: #"<|tool_call>call:sh{cmd:<|"|>echo "a } b" \n done<|"|>}<tool_call|>"#,
            tools: [GateTools.tool("sh")], calls: [#"sh {"cmd":"echo \"a } b\" \\n done"}"#]),
        Case(
            family: .gemma, output: #"<|tool_call|>call:add({"a":1})<tool_call|>"#, calls: [#"add {"a":1}"#]),
        Case(
            family: .gemma, output: "<|tool_call>call:mcp.cal:list-events{limit:5}<tool_call|>",
            tools: [GateTools.tool("mcp.cal:list-events")], calls: [#"mcp.cal:list-events {"limit":5}"#]),
        Case(
            family: .gemma,
            output: #"<|tool_call>call:go{to:{city:<|"|>Oslo<|"|>,n:2},ids:["x"],e:1.5e10}<tool_call|>"#,
            tools: [GateTools.tool("go")],
            calls: [#"go {"to":{"city":"Oslo","n":2},"ids":["x"],"e":15000000000.0}"#]),
        Case(
            family: .gemma, output: "<|tool_call>call:now{}<tool_call|><|tool_call>call:now{}<tool_call|>",
            calls: ["now {}", "now {}"]),
        Case(
            family: .gemma, output: #"<|tool_call>call:say{text:<|"|>a <tool_call|> b<|"|>}<tool_call|>"#,
            calls: [#"say {"text":"a <tool_call|> b"}"#]),
    ]

    @Test("P22 to P26: Gemma", arguments: gemma)
    func gemmaCalls(test: Case) { GateContractTests.check(test) }

    @Test("P22: a stray bracket ends in bounded time with nothing run")
    func strayBracket() {
        let run = GateRun.everyChunking(
            ToolGate.of(.gemma, [GateTools.tool("f")]), Turn("<|tool_call>call:f{a:[1]]}<tool_call|>"))
        #expect(run.names.isEmpty)
        #expect(run.rejected.map(\.code) == [.invalidArguments])
    }

    @Test(
        "P30: a name ends at the first tag",
        arguments: [
            "<tool_call>read<arg_key>path</arg_key><arg_value>/a b</arg_value></tool_call>",
            "<tool_call>read\n<arg_key>path</arg_key>\n<arg_value>/a b</arg_value>\n</tool_call>",
        ])
    func gluedKey(output: String) {
        let run = GateRun.everyChunking(ToolGate.of(.hermes, [Self.text("read", "path")]), Turn(output))
        #expect(run.names == [#"read {"path":"/a b"}"#])
    }

    @Test(
        "P31: empty, blank, null and missing arguments are an empty object",
        arguments: [#","arguments":"""#, #","arguments":"  ""#, #","arguments":null"#, "\"", #","arguments":{}"#])
    func emptyArguments(rest: String) {
        let body = #"{"name":"now"# + (rest == "\"" ? rest : "\"" + rest) + "}"
        let run = GateRun.everyChunking(ToolGate.of(.hermes), Turn("<tool_call>\(body)</tool_call>"))
        #expect(run.names == ["now {}"])
    }

    @Test("P31: lists, numbers and other text are no arguments", arguments: ["[1]", "3", #""x""#, "true"])
    func noArguments(value: String) {
        let run = GateRun.everyChunking(
            ToolGate.of(.hermes), Turn(#"<tool_call>{"name":"now","arguments":\#(value)}</tool_call>"#))
        #expect(run.names.isEmpty)
        #expect(run.rejected.map(\.code) == [.invalidArguments])
    }

    @Test("P33: harmless namespaces are taken off", arguments: ["default_api.add", "functions.add", "add"])
    func namespaces(name: String) {
        let run = GateRun.everyChunking(
            ToolGate.of(.hermes), Turn(#"<tool_call>{"name":"\#(name)","arguments":{"a":1}}</tool_call>"#))
        #expect(run.names == [#"add {"a":1}"#])
    }

    @Test(
        "P33: nothing else is guessed",
        arguments: ["print(default_api.add(a=1))", "execute_add", "functions.functions.add", "Add", "functions."])
    func unknownNames(name: String) {
        let run = GateRun.everyChunking(
            ToolGate.of(.hermes), Turn(#"<tool_call>{"name":"\#(name)","arguments":{"a":1}}</tool_call>"#))
        #expect(run.names.isEmpty)
        #expect(run.rejected.map(\.code) == [.unknownTool])
        #expect(run.rejected.first?.message == "Unknown tool: \(name)")
        #expect(run.rejected.first?.name == name)
    }

    @Test("P34: escaped surrogates")
    func surrogates() {
        let run = GateRun.everyChunking(
            ToolGate.of(.hermes),
            Turn(#"<tool_call>{"name":"say","arguments":{"t":"\ud83d\ude00 \u00e9 \ud83d"}}</tool_call>"#))
        #expect(run.calls.first?.arguments == ["t": "😀 é \u{FFFD}"])
    }

    @Test("P37: an answer that begins with < is text", arguments: ToolCallSyntax.Family.allCases)
    func markupAnswer(family: ToolCallSyntax.Family) {
        let run = GateRun.everyChunking(ToolGate.of(family), Turn("<div>hi</div>"))
        #expect(run.final == "<div>hi</div>")
        #expect(!run.isComplete)
    }

    @Test("P38: LFM2's tags")
    func liquid() {
        let tool = GateTools.tool("add", ["a": ["type": "integer"], "s": ["type": "string"]])
        let run = GateRun.everyChunking(
            ToolGate.of(.lfm2, [tool]), Turn(#"<|tool_call_start|>[add(a=1, s="x, y)")]<|tool_call_end|>"#))
        #expect(run.names == [#"add {"a":1,"s":"x, y)"}"#])
    }
}
