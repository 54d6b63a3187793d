import CarbocationLocalLLM
import Foundation
import Testing

@testable import CLLMCommands

@Suite(.timeLimit(.minutes(10))) struct ChatTerminalTests {
    private let model: TemporaryFile

    init() throws {
        model = try TemporaryFile.model()
    }

    /// Answers with the number of messages, but goes on without end when it is asked to.
    private static func engine(_ started: AsyncStream<Void>.Continuation? = nil) -> FakeEngine {
        FakeEngine { request, emit in
            guard request.messages.last?.content == "endless" else {
                for event in FakeAnswer(pieces: ["\(request.messages.count)"]).events { emit(event) }
                return
            }
            emit(.requestSent(phase: .unknown))
            emit(.contentDelta(phase: .final, text: "so far", bytesSoFar: 6))
            started?.yield()
            for await _ in AsyncStream<Void>.makeStream().stream {}
            throw CancellationError()
        }
    }

    private func session(
        _ typed: [String], waiting: [String] = [], staysOpen: Bool = false, failsToTakeOver: Bool = false,
        engine: FakeEngine = ChatTerminalTests.engine()
    ) -> (CommandSession, ScriptedTerminal) {
        var session = CommandSession(engine: engine)
        session.input = MemoryReader("", isTerminal: true)
        session.errors = MemoryWriter(isTerminal: true)
        let terminal = ScriptedTerminal(
            typed, waiting: waiting, staysOpen: staysOpen, failsToTakeOver: failsToTakeOver)
        session.terminal = terminal
        return (session, terminal)
    }

    private func arguments(_ more: String...) -> [String] { ["chat", "--model", model.path] + more }

    @Test("a person edits the lines; stdout has the answers only")
    func editing() async {
        let (session, terminal) = session(["Helo\u{1B}[D", "l\r", "second\r\u{1B}[A\r", "\u{4}"])
        #expect(await session.run(arguments()) == 0)
        #expect(session.output.text == "1\n3\n5\n")
        #expect(terminal.output.contains("> "))
        #expect(terminal.isRestored)
        #expect(session.errors.text.contains("cllm: model.gguf, context 2048 tokens; /help lists the commands\n"))
        #expect(session.runtime.log.unloads == 1)
    }

    @Test("Ctrl-D, /quit and a closed window leave with 0", arguments: [["\u{4}"], ["/quit\r"], []])
    func leaving(typed: [String]) async {
        let (session, terminal) = session(typed)
        #expect(await session.run(arguments("--quiet")) == 0)
        #expect(terminal.isRestored)
        #expect(session.runtime.log.unloads == 1)
    }

    @Test("Ctrl-C at the prompt leaves with 130")
    func interruptAtPrompt() async {
        let (session, terminal) = session(["half a line", "\u{3}"])
        #expect(await session.run(arguments()) == 130)
        #expect(terminal.isRestored)
        #expect(session.output.text.isEmpty)
        #expect(session.runtime.log.unloads == 1)
    }

    @Test(
        "a signal at the prompt gives the terminal back",
        arguments: [(.interrupt, 130), (.terminate, 143)] as [(Interruption, Int32)])
    func signalAtPrompt(signal: Interruption, code: Int32) async {
        let (session, terminal) = session([], staysOpen: true)
        session.interrupt(signal)
        #expect(await session.run(arguments()) == code)
        #expect(terminal.isRestored)
    }

    @Test("Ctrl-C stops a turn, which leaves no trace, and the chat goes on")
    func interruptTurn() async {
        let (starts, started) = AsyncStream<Void>.makeStream()
        let (session, terminal) = session(["a\r", "endless\r", "b\r", "\u{4}"], engine: Self.engine(started))
        let run = Task { [self] in await session.run(arguments()) }
        for await _ in starts {
            session.interrupt(.interrupt)
            break
        }
        #expect(await run.value == 0)
        #expect(session.output.text == "1\nso far\n3\n")
        #expect(session.errors.text.contains("cllm: stopped; the conversation goes on without this turn\n"))
        #expect(terminal.isRestored)
    }

    @Test(
        "Ctrl-C that is typed right behind a line stops its turn, wherever it waits",
        arguments: [
            (["a\r", "endless\r\u{3}", "b\r"], []), (["a\r", "endless\r", "b\r"], ["", "", "\u{3}"]),
            (["a\r", "endless\r", "b\r"], ["", "", "x\r", "\u{3}"]),
        ] as [([String], [String])])
    func interruptBehindLine(typed: [String], waiting: [String]) async {
        let (session, terminal) = session(typed, waiting: waiting)
        #expect(await session.run(arguments()) == 0)
        #expect(session.output.text == "1\n3\n")
        #expect(session.errors.text.contains("cllm: stopped; the conversation goes on without this turn\n"))
        #expect(terminal.isRestored)
    }

    @Test("Ctrl-C behind a line that begins no turn leaves with 130", arguments: ["", "/help", "/bogus"])
    func interruptBehindCommand(line: String) async {
        let (session, terminal) = session(["\(line)\r\u{3}", "b\r"])
        #expect(await session.run(arguments()) == 130)
        #expect(session.output.text.isEmpty)
        #expect(terminal.isRestored)
    }

    @Test("what is typed ahead is the next turn")
    func typedAhead() async {
        let (session, _) = session(["a\rb\r"], waiting: ["c\r"])
        #expect(await session.run(arguments()) == 0)
        #expect(session.output.text == "1\n3\n5\n")
    }

    @Test("a terminal that could be taken over in part only is given back")
    func failedTakeOver() async {
        let (session, terminal) = session(["a\r"], failsToTakeOver: true)
        #expect(await session.run(arguments()) == 1)
        #expect(terminal.isRestored)
    }

    @Test("at a terminal, commands that are wrong leave the exit code as it is")
    func mistakes() async {
        let (session, _) = session(["/bogus\r", "a\r"])
        #expect(await session.run(arguments()) == 0)
        #expect(session.output.text == "1\n")
    }

    @Test("SIGTERM stops the turn and the chat")
    func terminateTurn() async {
        let (starts, started) = AsyncStream<Void>.makeStream()
        let (session, _) = session(["endless\r", "b\r"], engine: Self.engine(started))
        let run = Task { [self] in await session.run(arguments()) }
        for await _ in starts {
            session.interrupt(.terminate)
            break
        }
        #expect(await run.value == 143)
        #expect(session.output.text == "so far\n")
        #expect(session.runtime.log.unloads == 1)
    }

    @Test("Ctrl-C ends a chat with piped lines, after what was produced")
    func interruptPipe() async {
        let (starts, started) = AsyncStream<Void>.makeStream()
        var session = CommandSession(engine: Self.engine(started))
        session.input = MemoryLines("endless\nb\n")
        let run = Task { [self, session] in await session.run(arguments()) }
        for await _ in starts {
            session.interrupt(.interrupt)
            break
        }
        #expect(await run.value == 130)
        #expect(session.output.text == "so far\n")
        #expect(session.errors.text.isEmpty)
    }

    @Test("a paste is one turn")
    func paste() async {
        let engine = Self.engine()
        let (session, _) = session(["\u{1B}[200~one\ntwo\u{1B}[201~\r"], engine: engine)
        #expect(await session.run(arguments()) == 0)
        #expect(engine.requests.map { $0.messages.last?.content } == ["one\ntwo"])
    }

    @Test("Ctrl-Z gives the terminal back meanwhile, and the line is still there")
    func suspension() async {
        let (session, terminal) = session(["hi\u{1A}", "\r"])
        #expect(await session.run(arguments()) == 0)
        #expect(terminal.suspensions == 1)
        #expect(session.output.text == "1\n")
        #expect(terminal.isRestored)
    }

    @Test("a terminal that cannot edit lines gets a prompt on stderr")
    func plainTerminal() async {
        var session = CommandSession(engine: Self.engine())
        session.input = MemoryLines("a\n", isTerminal: true)
        session.errors = MemoryWriter(isTerminal: true)
        #expect(await session.run(arguments("--quiet")) == 0)
        #expect(session.output.text == "1\n")
        #expect(session.errors.text.hasSuffix("> > "))
    }

    @Test("lines are kept in a file only if the user names one")
    func history() async throws {
        let folder = TemporaryFile.newFolder()
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let path = folder.appendingPathComponent("history").path
        var (first, _) = session(["one\r", "\u{1B}[200~a\nb\u{1B}[201~\r", " \r"])
        first.variables = ["CLLM_HISTORY": path]
        #expect(await first.run(arguments()) == 0)
        #expect(try HistoryFile(path: path).read() == ["one", "a\nb"])
        let engine = Self.engine()
        var (second, _) = session(["\u{1B}[A\u{1B}[A\r"], engine: engine)
        second.variables = ["CLLM_HISTORY": path]
        #expect(await second.run(arguments()) == 0)
        #expect(engine.requests.map { $0.messages.last?.content } == ["one"])
        #expect(HistoryFile(variables: [:]) == nil)
        #expect(HistoryFile(variables: ["CLLM_HISTORY": ""]) == nil)
    }

    @Test("a history that cannot be kept is told, and the chat goes on")
    func unusableHistory() async {
        var (session, _) = session(["a\r"])
        session.variables = ["CLLM_HISTORY": "/nowhere/history"]
        #expect(await session.run(arguments()) == 0)
        #expect(session.output.text == "1\n")
        #expect(session.errors.text.contains("/nowhere/history"))
    }
}
