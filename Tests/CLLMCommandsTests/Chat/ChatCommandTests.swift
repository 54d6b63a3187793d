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
        #expect(session.runtime.log.chats == ["", "Be kind."])
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

    @Test("SE-7: a file that cannot be loaded is told, and the conversation goes on as it was")
    func damagedFile() async throws {
        let file = try TemporaryFile("nonsense")
        let (code, session) = await chat("a", "/load \(file.path)", "/load /nowhere/x", "/save /nowhere/x", "b")
        #expect(code == 0)
        #expect(session.output.text == "1\n3\n")
        #expect(session.errors.lines.count == 3)
        #expect(session.errors.lines.first == "cllm: The saved session cannot be read: It is no conversation.")
    }

    @Test("SE-7: a conversation with another model is told with what to do")
    func otherModel() async throws {
        let file = try TemporaryFile("other")
        let (code, session) = await chat("a", "/load \(file.path)", "b")
        #expect(code == 0)
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
        #expect(session.errors.lines.contains("cached prompt tokens: 2"))
        #expect(session.errors.lines.last == "stop reason: complete")
        let (_, other) = await chat("a", "b", options: ["--stats", "--quiet"])
        #expect(other.errors.lines.filter { $0 == "cached prompt tokens: 2" }.count == 2)
    }

    @Test("a command that is wrong is explained, and the chat goes on")
    func mistakes() async {
        let (code, session) = await chat("/bogus", "a", "/quit", "b")
        #expect(code == 0)
        #expect(session.output.text == "1\n")
        #expect(session.errors.lines.count == 1)
        #expect(session.errors.text.hasPrefix("cllm: there is no command /bogus"))
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

    @Test("input that is no text ends the chat")
    func invalidText() async {
        var session = CommandSession()
        session.input = MemoryReader(bytes: [0x61, 0xFF, 0x0A])
        #expect(await session.run("chat", "--model", model.path) == 1)
        #expect(session.errors.text.hasPrefix("cllm: Line 1 of standard input is not UTF-8 text"))
        #expect(session.runtime.log.unloads == 1)
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
