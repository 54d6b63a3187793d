import CarbocationLocalLLM
import CarbocationLocalLLMTools
import Testing

@testable import CLLMCommands

@Suite struct RunToolsTests {
    private let model: TemporaryFile

    init() throws {
        model = try TemporaryFile.model()
    }

    private static let sum = [
        #"tool: calculate {"operation":"add","operands":[17,25]}"#,
        #"tool: calculate → {"ok":true,"operation":"add","result":"42","exact":true}"#,
    ]

    private func run(_ replies: [FakeToolEngine.Reply], _ options: String...) async -> (Int32, CommandSession) {
        let session = CommandSession(engine: FakeToolEngine(replies))
        return (await session.run(["run", "--model", model.path, "hi"] + options), session)
    }

    @Test("the answer goes to stdout, each call and its output to a line of stderr")
    func lines() async {
        let (code, session) = await run([.calls(.add([17, 25])), .text("It is", " 42.")], "--tools", "calculate")
        #expect(code == 0)
        #expect(session.output.pieces == ["It is", " 42.", "\n"])
        #expect(session.errors.lines == Self.sum)
        #expect(session.runtime.log.unloads == 1)
    }

    @Test("--quiet shows the answer only")
    func quiet() async {
        let (code, session) = await run(
            [.calls(.add([1, 2]), thinking: ["hm"]), .text("3")], "--tools", "calculate", "--quiet")
        #expect(code == 0)
        #expect(session.output.text == "3\n")
        #expect(session.errors.text.isEmpty)
    }

    @Test("text before a call stays, thinking has lines of its own")
    func around() async {
        let (_, session) = await run(
            [.calls(.add([17, 25]), text: ["Let me see. "], thinking: ["plan"]), .text("42")], "--tools", "all")
        #expect(session.output.pieces == ["Let me see. ", "42", "\n"])
        #expect(session.errors.lines == ["plan"] + Self.sum)
    }

    @Test("thinking behind a call is not set off by an empty line")
    func thinkingAgain() async {
        let second = FakeToolEngine.Reply.answer(FakeAnswer(pieces: ["42"], thinking: ["done", " it\n\nnow"]))
        let (_, session) = await run([.calls(.add([17, 25]), thinking: ["plan"]), second], "--tools", "all")
        #expect(session.errors.text == (["plan"] + Self.sum + ["done it", "", "now", ""]).joined(separator: "\n"))
    }

    @Test("several calls of one reply are told in order")
    func parallel() async {
        let calls = FakeToolEngine.Reply.calls(.add([1], id: "a", rawID: "a"), .add([2], id: "b", rawID: "b"))
        let (_, session) = await run([calls, .text("x")], "--tools", "calculate")
        #expect(session.errors.lines.count == 4)
        #expect(session.errors.lines.prefix(2).allSatisfy { $0.hasPrefix("tool: calculate {") })
    }

    @Test("a call that fails is told with its reason, and the run goes on")
    func failing() async {
        let unknown = LLMToolCall(executionID: "call_1", name: "fly", arguments: [:])
        let (code, session) = await run([.calls(unknown), .text("Sorry.")], "--tools", "calculate")
        #expect(code == 0)
        #expect(session.output.text == "Sorry.\n")
        #expect(session.errors.lines == ["tool: fly {}", "tool: fly failed: Unknown tool: fly"])
    }

    @Test("TL-10: without rounds no call runs", arguments: ["--max-tool-rounds=0"])
    func noRounds(option: String) async {
        let (code, session) = await run([.calls(.add([1])), .text("No.")], "--tools", "calculate", option)
        #expect(code == 0)
        #expect(session.output.text == "No.\n")
        #expect(session.errors.lines.last?.hasPrefix("tool: calculate failed: The limit of tool rounds") == true)
    }

    @Test("TL-12: a call that the end cut off is a warning")
    func incomplete() async {
        let answer = FakeAnswer(pieces: ["I will"], stopReason: "max-tokens")
        let reply = FakeToolEngine.Reply.answer(answer, incompleteCall: "<tool_call>\n{\"name\": \"calc")
        let (code, session) = await run([reply], "--tools", "calculate")
        #expect(code == 0)
        #expect(session.output.text == "I will\n")
        #expect(
            session.errors.text == "cllm: warning: the reply ended within a tool call, which was not run: "
                + "<tool_call> {\"name\": \"calc\n")
    }

    @Test("the tools, the choice and the limit reach the engine")
    func request() async throws {
        let engine = FakeToolEngine([.calls(.add([1])), .text("x")])
        let session = CommandSession(engine: engine)
        let options = ["--tools", " convert_units, calculate", "--tools=calculate", "--tool-choice", "calculate"]
        #expect(await session.run(["run", "--model", model.path, "--temperature=0", "hi"] + options) == 0)
        let first = try #require(engine.log.offers.first ?? nil)
        #expect(first.tools.map(\.name) == ["calculate"])
        #expect(first.isCallRequired)
        #expect(engine.log.offers.count == 2)
        #expect(engine.log.requests.map(\.options.temperature) == [0, 0])
        #expect(engine.log.requests.last?.messages.map(\.role) == [.user, .assistant, .tool])
    }

    @Test("BT-1: all tools come in their order; none may be used with the choice of none")
    func choices() async throws {
        let engine = FakeToolEngine([.text("x"), .text("y"), .text("z")])
        let session = CommandSession(engine: engine)
        let start = ["run", "--model", model.path, "hi", "--tools", "all", "--tool-choice"]
        for choice in ["auto", "none", "required"] { #expect(await session.run(start + [choice]) == 0) }
        let offers = engine.log.offers
        #expect(offers[0]?.tools.map(\.name) == ["load_webpage", "calculate", "convert_units"])
        #expect(offers.map { $0?.isCallRequired } == [false, nil, true])
    }

    @Test("without tools the other options change nothing")
    func withoutTools() async {
        let session = CommandSession()
        let options = ["--tool-choice", "none", "--max-tool-rounds", "2", "--allow-private-hosts"]
        #expect(await session.run(["run", "--model", model.path, "hi"] + options) == 0)
        #expect(session.output.text == "Hello there\n")
    }

    @Test("a page on this machine is loaded if private hosts are allowed")
    func webpage() async {
        let fetcher = FakeWebpageFetcher(html: "<title>News</title>")
        let url = "http://127.0.0.1:8731/page"
        let call = LLMToolCall(executionID: "call_1", name: "load_webpage", arguments: ["url": .string(url)])
        var session = CommandSession(engine: FakeToolEngine([.calls(call), .text("News")]))
        session.webpageFetcher = fetcher
        let options = ["--tools", "load_webpage", "--allow-private-hosts"]
        #expect(await session.run(["run", "--model", model.path, "hi"] + options) == 0)
        #expect(fetcher.configurations.map(\.allowsPrivateAddresses) == [true])
        #expect(session.errors.lines.last?.hasPrefix(#"tool: load_webpage → {"ok":true"#) == true)
    }

    @Test("--stats is about the whole run")
    func statistics() async {
        let (_, session) = await run(
            [.calls(.add([1])), .text("a", "b")], "--tools", "calculate", "--stats", "--quiet")
        #expect(session.errors.lines.contains("prompt tokens: 14"))
        #expect(session.errors.lines.contains("cached prompt tokens: 4"))
        #expect(session.errors.lines.contains("generated tokens: 2"))
        #expect(session.errors.lines.last == "stop reason: complete")
    }

    @Test("EV-13: an engine that cannot use tools says so")
    func unsupported() async throws {
        let session = CommandSession()
        #expect(await session.run("run", "--model", model.path, "--tools", "all", "--format=jsonl", "hi") == 1)
        #expect(try session.jsonLines().map { $0.value(forKey: "code") } == ["unsupportedToolMode"])
        #expect(session.errors.text.contains("cannot use tools"))
    }
}
