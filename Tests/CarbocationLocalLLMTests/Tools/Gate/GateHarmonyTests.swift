import CarbocationLocalLLM
import Testing

@Suite("Messages to tools in the Harmony format")
struct GateHarmonyTests {
    private func message(
        _ recipient: String, _ body: String, isComplete: Bool = true, phase: LLMStreamContentPhase = .final
    ) -> HarmonyMessage {
        HarmonyMessage(
            recipient: recipient, body: body, isComplete: isComplete, phase: phase, raw: "<\(recipient)>\(body)")
    }

    private let tools = [GateTools.tool("web-get", ["u": ["type": "string"]]), GateTools.tool("f")]

    private func run(_ messages: [HarmonyMessage], text: String = "") -> GateRun {
        var gate = ToolGate.of(.harmony, tools)
        var run = GateRun(gate, Turn(""))
        run.take(gate.push(text, in: .final))
        for message in messages { run.take(gate.push(message)) }
        run.take(gate.finish())
        run.incompleteCall = gate.incompleteCall
        run.isComplete = gate.isComplete
        return run
    }

    @Test("P27: a message with a recipient is a call, complete or not", arguments: [true, false])
    func calls(isComplete: Bool) {
        let run = run([message("functions.web-get", #"{"u":"x"}"#, isComplete: isComplete)], text: "Looking.")
        #expect(run.names == [#"web-get {"u":"x"}"#])
        #expect(run.final == "Looking.")
        #expect(run.isComplete)
    }

    @Test("P27: of whatever channel")
    func analysisChannel() {
        let run = run([message("functions.f", "{}", phase: .thinking), message("f", "")])
        #expect(run.names == ["f {}", "f {}"])
        #expect(run.calls.map(\.triggerPhase) == [.thinking, .final])
    }

    @Test("P28: a body one brace short is a mistake")
    func braceShort() {
        let run = run([message("functions.f", #"{"d":{"a":{"b":1}}"#, isComplete: false)])
        #expect(run.names.isEmpty)
        #expect(run.rejected.map(\.code) == [.invalidArguments])
        #expect(run.rejected.first?.name == "f")
        #expect(run.incompleteCall == nil)
    }

    @Test(
        "a body that is cut off is incomplete", arguments: ["", #"{"u":"x"#, #"{"u":"#, #"{"n":[1, 2"#, #"{"u":"x","#])
    func cutOff(body: String) {
        let run = run([message("functions.web-get", body, isComplete: false)])
        #expect(run.names.isEmpty)
        #expect(run.rejected.isEmpty)
        #expect(run.incompleteCall == "<functions.web-get>" + body)
        #expect(!run.isComplete)
    }

    @Test("an undeclared recipient is an unknown tool")
    func unknown() {
        let run = run([message("functions.nope", "{}"), message("browser.search", "{}")])
        #expect(run.rejected.map(\.message) == ["Unknown tool: nope", "Unknown tool: browser.search"])
    }

    @Test("an answer behind a call ends the turn")
    func answerBehind() {
        var gate = ToolGate.of(.harmony, tools)
        #expect(gate.push(message("functions.f", "{}")) == [])
        #expect(gate.push("Done.", in: .final).count == 1)
        #expect(gate.isComplete)
        #expect(gate.push(message("functions.f", "{}")) == [])
    }

    @Test("thinking behind a call ends the turn too")
    func thinkingBehind() {
        var gate = ToolGate.of(.harmony, tools)
        #expect(gate.push(message("functions.f", "{}")) == [])
        #expect(gate.push(" \n", in: .thinking) == [])
        #expect(gate.push("hm", in: .thinking).count == 1)
        #expect(gate.isComplete)
    }
}
