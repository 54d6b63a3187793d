import CarbocationLocalLLM
import TestSupport
import Testing

@Suite("The gate as a stage of the stream", .timeLimit(.minutes(10)))
struct GateStreamTests {
    @Test("S08: what only begins a marker is not lost at the end", arguments: ToolCallSyntax.Family.allCases)
    func partialMarkers(family: ToolCallSyntax.Family) {
        for text in ["2 <", "a [", "b <tool_ca", "c [TOOL_CALL", "d >>", "e {", "f <|", "g `", "h ``"] {
            let run = GateRun.everyChunking(ToolGate.of(family), Turn(text))
            #expect(run.final == text)
        }
        let thinking = GateRun.everyChunking(ToolGate.of(family), Turn("<think>half </th"))
        #expect(thinking.thinking == "half </th")
        #expect(thinking.incompleteCall == nil)
    }

    @Test("S10: a stray < hides no marker, and a marker may be cut anywhere")
    func strayMarkers() {
        let tools = [GateTools.tool("f")]
        let first = GateRun.everyChunking(
            ToolGate.of(.gemma, tools), Turn("sum=<k+1> <|tool_call>call:f{}<tool_call|>"))
        #expect(first.final == "sum=<k+1> ")
        #expect(first.names == ["f {}"])
        var gate = ToolGate.of(.gemma, tools)
        #expect(gate.push("<", in: .final) == [])
        #expect(gate.push("|tool_call>call:f{}<tool_call|>", in: .final) == [])
        #expect(gate.finish().count == 1)
        #expect(gate.isComplete)
    }

    static let longCalls: [(ToolCallSyntax.Family, String, String)] = [
        (.hermes, #"<tool_call>{"name":"say","arguments":{"text":""#, #""}}</tool_call>"#),
        (
            .hermes, "<tool_call>\n<function=say>\n<parameter=text>\n",
            "\n</parameter>\n</function>\n</tool_call>"
        ),
        (.gemma, #"<|tool_call>call:say{text:<|"|>"#, #"<|"|>}<tool_call|>"#),
        (.plain, #"{"tool_calls":[{"name":"say","arguments":{"text":""#, #""}}]}"#),
        (.llama, #"{"name":"say","parameters":{"text":""#, #""}}"#),
        (.mistral, #"[TOOL_CALLS]say[ARGS]{"text":""#, #""}"#),
    ]

    @Test("S11: the work grows with the length, and not faster", arguments: 0..<longCalls.count)
    func longArgument(index: Int) {
        let (family, opener, closer) = Self.longCalls[index]
        let text = String(repeating: "ab<c", count: 10_000)
        var gate = ToolGate.of(family)
        let clock = ContinuousClock()
        var outputs: [ToolGateOutput] = []
        let duration = clock.measure {
            for scalar in (opener + text + closer).unicodeScalars {
                outputs += gate.push(String(scalar), in: .final)
            }
            outputs += gate.finish()
        }
        guard case .call(let call)? = outputs.first else {
            Issue.record("no call")
            return
        }
        #expect(outputs.count == 1)
        #expect(call.arguments == ["text": .string(text)])
        #expect(duration < .seconds(5))
    }

    @Test("S12 A: text that a stop sequence gave back goes through the gate")
    func returnedText() {
        var stage = GeneratedTextStage(stops: ["</tool_call>ZZ"])
        var run = GateRun(ToolGate.of(.hermes), Turn(""))
        var gate = ToolGate.of(.hermes)
        for token in [#"<tool_call>{"name":"now","arguments":{}}"#, "</tool_call>"] {
            run.take(gate.push(stage.push(text: token), in: .final))
        }
        run.take(gate.push(stage.finish(), in: .final))
        run.take(gate.finish())
        #expect(run.names == ["now {}"])
        #expect(run.final == "")
    }

    @Test("K11: thinking ends before a call")
    func thinkingBeforeCall() {
        let run = GateRun.everyChunking(
            ToolGate.of(.hermes), Turn("<think>p</think>\n<tool_call>{\"name\":\"now\",\"arguments\":{}}</tool_call>"))
        #expect(run.thinking == "p")
        #expect(run.final == "")
        #expect(run.names == ["now {}"])
    }

    @Test("text before a call comes out at once, nothing after it ever")
    func order() {
        var gate = ToolGate.of(.hermes)
        #expect(gate.push("Let me ", in: .final) == [.text("Let me ", .final)])
        #expect(gate.push("look.\n<tool_", in: .final) == [.text("look.\n", .final)])
        #expect(gate.push("call>{\"name\":\"now\"}</tool_call>\n", in: .final) == [])
        #expect(!gate.isComplete)
        let end = gate.push("And so on", in: .final)
        #expect(end.count == 1)
        #expect(gate.isComplete)
        #expect(gate.push(" and on", in: .final) == [])
        #expect(gate.finish() == [])
    }

    @Test("held thinking comes before the answer, in one segment with what came before")
    func heldThinking() {
        var gate = ToolGate.of(.hermes)
        #expect(gate.push("a ", in: .thinking) == [.text("a", .thinking)])
        #expect(gate.push("<tool_call>{\"name\":\"now\"}</tool_call> b", in: .thinking) == [])
        #expect(gate.segmentEnd() == [])
        #expect(
            gate.push("c", in: .final) == [
                .text(" ", .thinking), .text("<tool_call>{\"name\":\"now\"}</tool_call>", .thinking),
                .text(" ", .thinking), .text("b", .thinking), .segmentEnd(.thinking), .text("c", .final),
            ])
        #expect(gate.push("d <tool_call>{\"name\":\"now\"}</tool_call>", in: .thinking).isEmpty == false)
        #expect(gate.finish().contains { if case .call = $0 { true } else { false } } == false)
    }

    @Test("several thinking blocks, of which the last has the call")
    func thinkingBlocks() {
        let call = "<tool_call>{\"name\":\"now\"}</tool_call>"
        let run = GateRun.everyChunking(
            ToolGate.of(.hermes), Turn("<think>a \(call)</think><think>b\n\(call)</think>\n"))
        #expect(run.thinking == "a\nb")
        #expect(run.names == ["now {}", "now {}"])
        #expect(run.order == ["call_1", "call_2"])
        #expect(run.calls.allSatisfy { $0.triggerPhase == .thinking })
    }

    @Test("a call that is cut off in thinking")
    func cutOffThinking() {
        let run = GateRun.everyChunking(ToolGate.of(.hermes), Turn("<think>hm\n<tool_call>{\"name\":\"now"))
        #expect(run.thinking == "hm")
        #expect(run.incompleteCall == "<tool_call>{\"name\":\"now")
        let answered = GateRun.everyChunking(ToolGate.of(.hermes), Turn("<think>hm <tool_call>{\"name</think>ok"))
        #expect(answered.thinking == "hm <tool_call>{\"name")
        #expect(answered.final == "ok")
        #expect(answered.incompleteCall == nil)
    }

    @Test("what cannot be read in thinking is thinking")
    func unreadableThinking() {
        let text = "I would write <tool_call>{name: add}</tool_call> here"
        let run = GateRun.everyChunking(ToolGate.of(.hermes), Turn("<think>" + text))
        #expect(run.thinking == text)
        #expect(run.rejected.isEmpty)
    }

    @Test("ids are unique within the conversation")
    func identifiers() {
        let allocator = LLMToolCallIDAllocator(reserving: ["call_1", "x"])
        let gate = ToolGate(
            syntax: ToolCallSyntax(.hermes), tools: GateTools.all, allocator: allocator)
        let calls = [#""id":"x","#, "", #""id":"y","#, #""id":" ","#, #""id":"call_2","#]
        let output = calls.map { "<tool_call>{\($0)\"name\":\"now\"}</tool_call>" }.joined()
        let run = GateRun.everyChunking(gate, Turn(output))
        #expect(run.order == ["call_3", "call_4", "y", "call_5", "call_2"])
        #expect(run.calls.map(\.rawID) == ["x", nil, "y", nil, "call_2"])
    }

    @Test("a mistake keeps its place among the calls")
    func mixedOrder() {
        let output = [#"{"name":"now"}"#, #"{"name":"nope","id":"n"}"#, #"{"name":"add","arguments":{"a":"x"}}"#]
            .map { "<tool_call>\($0)</tool_call>" }.joined(separator: "\n")
        let run = GateRun.everyChunking(ToolGate.of(.hermes), Turn(output))
        #expect(run.order == ["call_1", "n", "call_2"])
        #expect(run.rejected.map(\.code) == [.unknownTool, .invalidArguments])
        #expect(run.rejected.map(\.executionID) == ["n", "call_2"])
        #expect(run.rejected.last?.message.contains("/a is string, not number") == true)
    }
}
