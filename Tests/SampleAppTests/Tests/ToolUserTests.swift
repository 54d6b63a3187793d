import CarbocationLocalLLM
import Testing

@MainActor
@Suite("Sample app: tools", .timeLimit(.minutes(10)))
struct ToolUserTests {
    @Test("only tools that are switched on are offered")
    func switches() {
        var user = ToolUser(engine: ScriptedLLMEngine(script: [])) { _ in true }
        #expect(user.tools.map(\.definition.name) == ["get_date", "calculate", "convert_units"])
        user.switches = ToolSwitches(calculates: false, convertsUnits: false, opensWebpages: true)
        #expect(user.tools.map(\.definition.name) == ["get_date", "load_webpage"])
    }

    @Test("the app can use the tools itself")
    func withoutModel() {
        #expect(Conversions.sum().value(forKey: "ok") == true)
        #expect(Conversions.miles().value(forKey: "ok") == true)
    }

    @Test("a page that the user does not want is not opened")
    func denied() async throws {
        let engine = ScriptedLLMEngine(script: [
            [.toolCall(name: "load_webpage", arguments: ["url": "http://localhost/"])],
            [.text("I may not look there.")],
        ])
        let user = ToolUser(engine: engine, switches: ToolSwitches(opensWebpages: true)) { _ in false }
        let answer = Answer()
        let calls = try await user.answer("What is on http://localhost/?", showing: answer)
        #expect(calls.map(\.name) == ["load_webpage"])
        #expect(answer.text == "I may not look there.")
        let output = try #require(await engine.receivedRequests.last?.messages.last)
        #expect(output.role == .tool && output.content.contains("The user does not want this page opened."))
    }
}
