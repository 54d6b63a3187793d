import CarbocationLocalLLM
import TestSupport
import Testing

@Suite("What the gate has to make of common outputs")
struct GateContractTests {
    struct Case: Sendable {
        var family: ToolCallSyntax.Family
        var output: String
        var tools = GateTools.all
        var final = ""
        var thinking = ""
        var calls: [String] = []
        var rejected: [RejectedToolCall.Code] = []
        var rawIDs: [String?]?
        var phase: LLMStreamContentPhase?
        var incomplete: String?
        var template = ""
    }

    static func check(_ test: Case, sourceLocation: SourceLocation = #_sourceLocation) {
        let gate = ToolGate.of(test.family, test.tools, template: test.template)
        let run = GateRun.everyChunking(gate, Turn(test.output), sourceLocation: sourceLocation)
        #expect(run.final == test.final, sourceLocation: sourceLocation)
        #expect(run.thinking == test.thinking, sourceLocation: sourceLocation)
        #expect(run.names == test.calls, sourceLocation: sourceLocation)
        #expect(run.rejected.map(\.code) == test.rejected, sourceLocation: sourceLocation)
        #expect(run.incompleteCall == test.incomplete, sourceLocation: sourceLocation)
        if let rawIDs = test.rawIDs { #expect(run.calls.map(\.rawID) == rawIDs, sourceLocation: sourceLocation) }
        let phases = run.calls.map(\.triggerPhase)
        #expect(phases.allSatisfy { $0 == test.phase ?? .final }, sourceLocation: sourceLocation)
    }

    @Test("text stops before an opener, which is held while it may still be one")
    func openers() {
        var gate = ToolGate.of(.lfm2)
        #expect(gate.push("I will check <|tool_", in: .final) == [.text("I will check ", .final)])
        var plain = ToolGate.of(.plain)
        #expect(plain.push(#"I will check. {"tool_"#, in: .final) == [.text("I will check. ", .final)])
        var tag = ToolGate.of(.hermes)
        #expect(tag.push("<", in: .final) == [])
        #expect(tag.push("not a tool", in: .final) == [.text("<not a tool", .final)])
        var brace = ToolGate.of(.plain)
        #expect(brace.push("{", in: .final) == [])
        #expect(brace.push("not a tool", in: .final) == [.text("{not a tool", .final)])
    }

    static let plainCases: [Case] = [
        Case(family: .plain, output: "<div>hi</div>", final: "<div>hi</div>"),
        Case(family: .plain, output: #"{"name":"Alice","age":3}"#, final: #"{"name":"Alice","age":3}"#),
        Case(family: .plain, output: #"Here: {"name":"add"}"#, final: #"Here: {"name":"add"}"#),
        Case(
            family: .plain,
            output: """
                ```json
                {"tool_calls":[{"id":"call_7","function":{"name":"add","arguments":"{\\"a\\":1,\\"b\\":2}"}}]}
                ```
                """, calls: [#"add {"a":1,"b":2}"#], rawIDs: ["call_7"]),
        Case(
            family: .plain, output: #"I will. {"tool_calls":[{"name":"add","arguments":{"a":1}}]}"#,
            final: "I will. ", calls: [#"add {"a":1}"#]),
        Case(
            family: .plain, output: "{ \"tool_calls\" : [ {\"tool_name\":\"now\"} ] }\n", calls: ["now {}"]),
        Case(
            family: .plain, output: #"Write `{"tool_calls":[{"name":"now"}]}` to call."#,
            final: #"Write `{"tool_calls":[{"name":"now"}]}` to call."#),
        Case(
            family: .plain, output: "Like so:\n```\nx\n{\"tool_calls\":[{\"name\":\"now\"}]}\n```\nDone.",
            final: "Like so:\n```\nx\n{\"tool_calls\":[{\"name\":\"now\"}]}\n```\nDone."),
        Case(
            family: .plain, output: "Like so:\n```json\n{\"tool_calls\":[{\"name\":\"now\"}]}\n```\n",
            final: "Like so:\n", calls: ["now {}"]),
        Case(family: .plain, output: #"{"name":"add","arguments":{"a":1}}"#, calls: [#"add {"a":1}"#]),
        Case(family: .plain, output: #"{"function":"add","args":{"a":1}}"#, calls: [#"add {"a":1}"#]),
        Case(family: .plain, output: #"[{"tool_name":"add","parameters":{"a":1}}]"#, calls: [#"add {"a":1}"#]),
        Case(
            family: .plain, output: #"{"name":"add","arguments":{"a":1}}; {"name":"now","arguments":{}}"#,
            calls: [#"add {"a":1}"#, "now {}"]),
        Case(
            family: .plain, output: #"<|python_tag|>{"name":"add","parameters":{"a":1}}"#, calls: [#"add {"a":1}"#]),
        Case(
            family: .plain, output: "```json\n{\"name\":\"add\",\"arguments\":{\"a\":1}}\n```",
            calls: [#"add {"a":1}"#]),
        Case(
            family: .plain, output: #"{"name":"add","arguments":{"a":1}} is the call."#,
            final: #"{"name":"add","arguments":{"a":1}} is the call."#),
        Case(
            family: .plain, output: #"{"name":"sub","arguments":{"a":1}}"#,
            final: #"{"name":"sub","arguments":{"a":1}}"#),
        Case(
            family: .plain, output: #"{"tool_calls":[{"name":"sub","arguments":{}}]}"#,
            final: #"{"tool_calls":[{"name":"sub","arguments":{}}]}"#),
        Case(
            family: .plain, output: #"{"tool_calls":[{"name":"now"},{"name":"sub","arguments":{}}]}"#,
            calls: ["now {}"], rejected: [.unknownTool]),
        Case(
            family: .plain, output: #"Well. {"tool_calls":[{"name":"add","argu"#, final: "Well. ",
            incomplete: #"{"tool_calls":[{"name":"add","argu"#),
    ]

    @Test("TF-2: the plain format", arguments: plainCases)
    func plain(test: Case) { Self.check(test) }

    static let familyCases: [Case] = [
        Case(
            family: .hermes,
            output: "Let me look.\n<tool_call>{\"name\":\"add\",\"arguments\":{\"a\":1}}</tool_call>"
                + "<tool_call>{\"name\":\"add\",\"arguments\":{\"a\":2}}</tool_call>",
            final: "Let me look.\n", calls: [#"add {"a":1}"#, #"add {"a":2}"#]),
        Case(
            family: .llama, output: #"{"name":"add","parameters":{"a":1}}"#, calls: [#"add {"a":1}"#]),
        Case(
            family: .llama, output: #"<|python_tag|>{"name":"add","parameters":{"a":1}}"#, calls: [#"add {"a":1}"#]),
        Case(
            family: .llama, output: #"<|python_tag|>foo.call(payload={"name":"bar","parameters":{}}"#,
            tools: [GateTools.tool("bar")],
            incomplete: #"<|python_tag|>foo.call(payload={"name":"bar","parameters":{}}"#),
        Case(
            family: .llama, output: #"<|python_tag|>say.call(text="hi")"#, calls: [#"say {"text":"hi"}"#]),
        Case(
            family: .kimi,
            output: "<|tool_calls_section_begin|><|tool_call_begin|>functions.add:0<|tool_call_argument_begin|>"
                + "{\"a\":1}<|tool_call_end|><|tool_calls_section_end|>",
            calls: [#"add {"a":1}"#], rawIDs: ["functions.add:0"]),
        Case(
            family: .hermes, output: #"<tool_call>{"name":"say","arguments":{"text":"end } here ] \" {"}}</tool_call>"#,
            calls: [#"say {"text":"end } here ] \" {"}"#]),
        Case(
            family: .hermes,
            output: #"<tool_call>{"name":"say","arguments":{"text":"\ud83d\ude00 \ud83d"}}</tool_call>"#,
            calls: ["say {\"text\":\"😀 \u{FFFD}\"}"]),
        Case(
            family: .hermes,
            output: #"<think>maybe <tool_call>{"name":"add","arguments":{"a":1}}</tool_call></think>"#
                + #"<tool_call>{"name":"add","arguments":{"a":2}}</tool_call>"#,
            thinking: #"maybe <tool_call>{"name":"add","arguments":{"a":1}}</tool_call>"#, calls: [#"add {"a":2}"#]),
        Case(
            family: .hermes,
            output: "<think>I need data.\n<tool_call>{\"name\":\"add\",\"arguments\":{\"a\":1}}</tool_call>",
            thinking: "I need data.", calls: [#"add {"a":1}"#], phase: .thinking),
        Case(
            family: .hermes, output: #"Sure. <tool_call>{"name":"add","argu"#, final: "Sure. ",
            incomplete: #"<tool_call>{"name":"add","argu"#),
        Case(
            family: .hermes, output: "<tool_call>read<arg_key>path</arg_key><arg_value>/a b</arg_value></tool_call>",
            tools: [GateTools.tool("read", ["path": ["type": "string"]])], calls: [#"read {"path":"/a b"}"#]),
        Case(
            family: .hermes, output: "<tool_call>list</tool_call>", tools: [GateTools.tool("list")],
            calls: ["list {}"]),
    ]

    @Test("TF-3 to TF-5: native formats", arguments: familyCases)
    func families(test: Case) { Self.check(test) }
}
