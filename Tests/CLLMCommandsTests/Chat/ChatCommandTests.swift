import CarbocationLocalLLM
import Foundation
import Testing

@testable import CLLMCommands

@Suite struct ChatCommandTests {
    private let model: TemporaryFile

    init() throws {
        model = try TemporaryFile.model()
    }

    /// An engine that says how many messages it was given.
    private static let counting = FakeEngine { request, emit in
        for event in FakeAnswer(pieces: ["\(request.messages.count)"]).events { emit(event) }
    }

    private func chat(
        _ lines: String..., engine: any LLMEngine = ChatCommandTests.counting, options: [String] = []
    ) async -> (code: Int32, session: CommandSession) {
        var session = CommandSession(engine: engine)
        session.input = MemoryLines(lines.joined(separator: "\n"))
        return (await session.run(["chat", "--model", model.path] + options), session)
    }

    @Test("SE-1: each piped line is a turn that knows those before; stdout has the answers only")
    func piped() async {
        let (code, session) = await chat("Hello", "", "  ", "How are you?\r", "Bye")
        #expect(code == 0)
        #expect(session.output.text == "1\n3\n5\n")
        #expect(session.errors.text.isEmpty)
        #expect(session.runtime.log.unloads == 1)
    }

    @Test("each answer ends one line, also an empty one and one with a line break")
    func separation() async {
        let engine = FakeEngine { request, emit in
            let text = ["", "one\n", "two"][(request.messages.count - 1) / 2]
            for event in FakeAnswer(pieces: [text]).events { emit(event) }
        }
        let (_, session) = await chat("a", "b", "c", engine: engine)
        #expect(session.output.text == "\none\ntwo\n")
    }

    @Test("SE-6: /reset forgets the turns and keeps the system text")
    func reset() async {
        let (code, session) = await chat("a", "/reset", "b", options: ["--system", "Be brief."])
        #expect(code == 0)
        #expect(session.output.text == "2\n2\n")
        #expect(session.errors.lines == ["cllm: all turns are forgotten"])
    }

    @Test("/system begins a new conversation")
    func system() async {
        let (code, session) = await chat("a", "/system Be kind.", "b")
        #expect(code == 0)
        #expect(session.output.text == "1\n2\n")
        #expect(session.runtime.log.chats.map(\.system) == ["", "Be kind."])
        #expect(session.runtime.log.unloads == 2)
    }

    @Test("/save and /load go on in another process")
    func saving() async throws {
        let folder = TemporaryFile.newFolder()
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let path = folder.appendingPathComponent("my chat").path
        #expect(await chat("a", "b", "/save \(path)").code == 0)
        let (code, session) = await chat("x", "/load \(path)", "c")
        #expect(code == 0)
        #expect(session.output.text == "1\n5\n")
        #expect(session.errors.lines == ["cllm: going on with a conversation of 4 messages"])
        #expect(session.runtime.log.unloads == 2)
    }

    @Test(
        "SE-7: a file that cannot be loaded is told, the conversation goes on as it was, and the exit code tells of it")
    func damagedFile() async throws {
        let file = try TemporaryFile("nonsense")
        let (code, session) = await chat("a", "/load \(file.path)", "/load /nowhere/x", "/save /nowhere/x", "b")
        #expect(code == 1)
        #expect(session.output.text == "1\n3\n")
        #expect(session.errors.lines.count == 4)
        #expect(session.errors.lines.first == "cllm: The saved session cannot be read: It is no conversation.")
        #expect(session.errors.lines.last == "cllm: 3 commands failed.")
    }

    @Test("SE-7: a conversation with another model is told with what to do")
    func otherModel() async throws {
        let file = try TemporaryFile("other")
        let (code, session) = await chat("a", "/load \(file.path)", "b")
        #expect(code == 1)
        #expect(session.output.text == "1\n3\n")
        #expect(session.errors.text.hasPrefix("cllm: It needs another model. To go on with it, begin a chat"))
    }

    @Test("/think changes the turns that follow")
    func think() async {
        let engine = FakeEngine.answering(["x"])
        _ = await chat("a", "/think on", "b", "/think off", "c", engine: engine)
        #expect(engine.requests.map(\.options.enableThinking) == [false, true, false])
    }

    @Test("/stats and --stats show the figures of the last turn")
    func statistics() async {
        let (_, session) = await chat("/stats", "a", "/stats")
        #expect(session.errors.lines.first == "cllm: there was no turn yet")
        #expect(session.errors.lines.contains("cached prompt tokens: 2 (the beginning differs)"))
        #expect(session.errors.lines.last == "stop reason: complete")
        let (_, other) = await chat("a", "b", options: ["--stats", "--quiet"])
        #expect(other.errors.lines.filter { $0 == "cached prompt tokens: 2 (the beginning differs)" }.count == 2)
    }

    @Test("the figures are those of the engine and of the session that is open")
    func engineFigures() async throws {
        let folder = TemporaryFile.newFolder()
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let path = folder.appendingPathComponent("chat").path
        let (code, session) = await chat(
            "a", "/save \(path)", "/load \(path)", "/system Be kind.", "b", options: ["--stats", "--quiet"])
        #expect(code == 0)
        #expect(session.errors.lines.filter { $0 == "batch: 512 tokens" }.count == 2)
        #expect(session.errors.lines.contains("threads: 1 decode, 2 prefill (chosen by the engine)"))
        #expect(session.errors.lines.contains("cached prompt tokens: 2 (the beginning differs)"))
    }

    @Test("the load time is that of the session that is open")
    func loadTime() async {
        var session = CommandSession(engine: Self.counting)
        session.growth = .milliseconds(10)
        session.input = MemoryLines("a\nb\n/system Be kind.\nc")
        #expect(await session.run(["chat", "--model", model.path, "--stats", "--quiet"]) == 0)
        let times = session.errors.lines.filter { $0.hasPrefix("load: ") }
        #expect(times.count == 3)
        #expect(times[0] == times[1])
        #expect(times[1] != times[2])
    }

    @Test(
        "commands that are wrong are explained, the chat goes on, and the exit code tells of them",
        arguments: [
            ("/bogus", "there is no command /bogus"), ("/think", "/think needs 'on' or 'off'"),
            ("/save", "/save needs the name of a file"), ("/reset now", "/reset takes nothing behind it"),
        ])
    func mistakes(line: String, problem: String) async {
        let (code, session) = await chat(line, "a", "/quit", "b")
        #expect(code == 1)
        #expect(session.output.text == "1\n")
        #expect(session.errors.lines.count == 2)
        #expect(session.errors.text.hasPrefix("cllm: \(problem)"))
        #expect(session.errors.lines.last == "cllm: 1 command failed.")
    }

    @Test("SE-2: a turn that fails leaves no trace, and the exit code tells of it")
    func failingTurn() async throws {
        let engine = FakeEngine { request, emit in
            if request.messages.last?.content == "bad" { throw LLMEngineError.decodeFailed("no memory") }
            for event in FakeAnswer(pieces: ["\(request.messages.count)"]).events { emit(event) }
        }
        let (code, session) = await chat("a", "bad", "b", engine: engine)
        #expect(code == 1)
        #expect(session.output.text == "1\n3\n")
        #expect(session.errors.lines.last == "cllm: 1 of 3 turns failed.")
        #expect(session.errors.lines.first == "cllm: The model stopped with a failure: no memory.")
        let (_, events) = await chat("bad", engine: engine, options: ["--format=jsonl"])
        #expect(try events.jsonLines().map { $0.value(forKey: "code") } == ["decodeFailed"])
    }

    @Test("in jsonl every turn ends with done")
    func events() async throws {
        let (code, session) = await chat("a", "/reset", "b", options: ["--format", "jsonl"])
        #expect(code == 0)
        let kinds = try session.jsonLines().compactMap { $0.string(forKey: "type") }
        #expect(kinds.filter { $0 == "done" }.count == 2)
        #expect(kinds.first == "requestSent")
        #expect(kinds.last == "done")
    }

    @Test("the generation options hold for every turn")
    func options() async {
        let engine = FakeEngine.answering(["x"])
        let options = ["--temperature=0.5", "--max-tokens=9", "--seed=3", "--stop", "END", "--balanced-json"]
        _ = await chat("a", "b", engine: engine, options: options)
        #expect(engine.requests.count == 2)
        for request in engine.requests {
            #expect(request.options.temperature == 0.5)
            #expect(request.options.maxOutputTokens == 9)
            #expect(request.options.seed == 3)
            #expect(request.options.stopSequences == ["END"])
            #expect(request.options.stopAtBalancedJSON)
        }
    }

    @Test("tools may be called in every turn")
    func tools() async {
        let engine = FakeToolEngine([.calls(.add([17, 25])), .text("42"), .text("no tool")])
        let (code, session) = await chat("a", "b", engine: engine, options: ["--tools", "calculate"])
        #expect(code == 0)
        #expect(session.output.text == "42\nno tool\n")
        #expect(session.errors.lines.count == 2)
    }

    @Test("a line that is no text is a turn that failed, and those behind it are answered", arguments: [false, true])
    func invalidText(isEvents: Bool) async throws {
        var session = CommandSession(engine: Self.counting)
        session.input = MemoryLines(bytes: Array("a\nb".utf8) + [0xFF] + Array("\n/bogus\nc\n".utf8))
        let format = isEvents ? "jsonl" : "text"
        #expect(await session.run("chat", "--model", model.path, "--format", format) == 1)
        #expect(session.errors.lines.count == 3)
        #expect(session.errors.text.hasPrefix("cllm: Line 2 of standard input is not UTF-8 text"))
        #expect(session.errors.lines.last == "cllm: 1 of 3 turns and 1 command failed.")
        #expect(session.runtime.log.unloads == 1)
        guard isEvents else { return #expect(session.output.text == "1\n3\n") }
        let kinds = try session.jsonLines().compactMap { $0.string(forKey: "type") }
        #expect(kinds.filter { ["done", "error"].contains($0) } == ["done", "error", "done"])
    }

    @Test("--messages opens the conversation; its system messages join --system")
    func messages() async throws {
        let file = try TemporaryFile(
            """
            [{"role": "system", "content": "Be kind."}, {"role": "user", "content": "Hi"},
             {"role": "assistant", "content": "Hello"}]
            """)
        let (code, session) = await chat(
            "a", "/reset", "b", options: ["--messages", file.path, "--system", "Be brief."])
        #expect(code == 0)
        #expect(session.output.text == "4\n2\n")
        let opening = try #require(session.runtime.log.chats.first)
        #expect(opening.system == "Be brief.\n\nBe kind.")
        #expect(opening.history.map(\.content) == ["Hi", "Hello"])
    }

    @Test(
        "MS-3: messages that no conversation has are refused before the model is loaded",
        arguments: [
            ("[]", "no messages"), (#"[{"role": "assistant", "content": "Hi"}]"#, "no user or tool message"),
            (#"[{"role": "system", "content": "x"}]"#, "no user or tool message"), ("{}", "JSON array"),
            (#"[{"role": "user", "content": "x"}, {"role": "tool", "content": "y"}]"#, "no toolCallID"),
            (#"[{"role": "user", "content": "x"}, {"role": "system", "content": "y"}]"#, "role system"),
        ])
    func unusableMessages(text: String, problem: String) async throws {
        let file = try TemporaryFile(text)
        let (code, session) = await chat("a", options: ["--messages", file.path])
        #expect(code == 1)
        #expect(session.errors.text.contains(problem))
        #expect(session.runtime.log.loads.isEmpty)
    }

    @Test("a reader of the output that goes away ends the chat quietly")
    func closedOutput() async {
        var session = CommandSession(engine: Self.counting)
        session.input = MemoryLines("a\nb\n")
        let code = await session.run(
            ["chat", "--model", model.path], output: MemoryWriter(failure: OutputClosed(), afterWrites: 1))
        #expect(code == 0)
        #expect(session.errors.text.isEmpty)
        #expect(session.runtime.log.unloads == 1)
    }
}
