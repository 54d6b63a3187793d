import CarbocationLocalLLM
import Testing

@testable import CLLMCommands

@Suite(.timeLimit(.minutes(10))) struct RunInterruptionTests {
    private let model: TemporaryFile

    init() throws {
        model = try TemporaryFile.model()
    }

    /// An engine that says something, tells that it did, and then goes on until it is cancelled.
    private static func endless(_ started: AsyncStream<Void>.Continuation) -> FakeEngine {
        FakeEngine { _, emit in
            emit(.requestSent(phase: .unknown))
            emit(.contentDelta(phase: .final, text: "so far", bytesSoFar: 6))
            started.yield()
            for await _ in AsyncStream<Void>.makeStream().stream {}
            emit(
                .generationStats(
                    promptTokens: 7, generatedTokens: 2, stopReason: "cancelled", templateMode: .embedded,
                    phase: .final))
            throw CancellationError()
        }
    }

    private func interrupted(_ signal: Interruption, _ arguments: [String]) async -> (Int32, CommandSession) {
        let (starts, started) = AsyncStream<Void>.makeStream()
        let session = CommandSession(engine: Self.endless(started))
        let run = Task { [model] in await session.run(["run", "--model", model.path, "hi"] + arguments) }
        for await _ in starts {
            session.interrupt(signal)
            break
        }
        return (await run.value, session)
    }

    @Test(
        "EV-4: what was produced is printed, and the exit code is the signal's",
        arguments: [
            (.interrupt, 130), (.terminate, 143),
        ] as [(Interruption, Int32)])
    func text(signal: Interruption, code: Int32) async {
        let (exitCode, session) = await interrupted(signal, [])
        #expect(exitCode == code)
        #expect(session.output.text == "so far\n")
        #expect(session.errors.text.isEmpty)
        #expect(session.runtime.log.unloads == 1)
    }

    @Test("jsonl ends with the figures and the error")
    func events() async throws {
        let (exitCode, session) = await interrupted(.interrupt, ["--format", "jsonl"])
        #expect(exitCode == 130)
        let lines = try session.jsonLines()
        #expect(
            lines.map { $0.value(forKey: "type") } == ["requestSent", "contentDelta", "generationStats", "error"])
        #expect(lines.last?.value(forKey: "code") == "cancelled")
        #expect(session.errors.text.isEmpty)
    }

    @Test("--stats tells how far it came")
    func statistics() async {
        let (_, session) = await interrupted(.interrupt, ["--stats"])
        #expect(session.errors.text == "load: 100 ms\nprompt tokens: 7\ngenerated tokens: 2\nstop reason: cancelled\n")
    }

    @Test("waiting for standard input is given up at once")
    func standardInput() async {
        var session = CommandSession()
        session.input = MemoryReader(bytes: nil)
        session.interrupt(.interrupt)
        #expect(await session.run("run", "--model", model.path) == 130)
        #expect(session.runtime.log.loads.isEmpty)
        #expect(session.errors.text.isEmpty)
    }
}
