import CarbocationLocalLLM
import Testing

@testable import CLLMCommands

/// `run --tools` as programs see it.
@Suite(.timeLimit(.minutes(10))) struct RunToolEventsTests {
    private let model: TemporaryFile

    init() throws {
        model = try TemporaryFile.model()
    }

    private func run(_ replies: [FakeToolEngine.Reply], _ options: String...) async -> (Int32, CommandSession) {
        let session = CommandSession(engine: FakeToolEngine(replies))
        let arguments = ["run", "--model", model.path, "hi", "--tools", "calculate", "--format", "jsonl"]
        return (await session.run(arguments + options), session)
    }

    private static let reply = ["requestSent", "firstByteReceived", "phaseChanged", "contentDelta", "generationStats"]

    @Test("events come in order, one done is the last of them, and stderr stays empty")
    func events() async throws {
        let (code, session) = await run([
            .calls(.add([17, 25], rawID: "x"), text: ["So: "]), .answer(FakeAnswer(pieces: ["42"], seed: 5)),
        ])
        #expect(code == 0)
        #expect(session.errors.text.isEmpty)
        let lines = try session.jsonLines()
        #expect(
            lines.map { $0.string(forKey: "type") } == Self.reply
                + ["toolRoundStarted", "toolCallStarted", "toolCallCompleted"] + Self.reply + [
                    "generationStats", "done",
                ])
        #expect(lines[5] == ["type": "toolRoundStarted", "round": 1])
        #expect(
            lines[6] == [
                "type": "toolCallStarted", "id": "call_1", "rawID": "x", "name": "calculate",
                "arguments": ["operation": "add", "operands": [17, 25]], "triggerPhase": "final",
            ])
        #expect(
            lines[7] == [
                "type": "toolCallCompleted", "callID": "call_1", "name": "calculate", "isError": false,
                "content": ["ok": true, "operation": "add", "result": "42", "exact": true],
            ])
        #expect(
            lines[lines.count - 2] == [
                "type": "generationStats", "aggregate": true, "promptTokens": 14, "generatedTokens": 2,
                "stopReason": "complete",
            ])
        #expect(
            lines.last == [
                "type": "done", "stopReason": "complete", "seed": 5, "roundsCompleted": 1, "toolCalls": 1,
                "incompleteToolCall": .null,
                "usage": ["promptTokens": 14, "cachedPromptTokens": 4, "generatedTokens": 2],
            ])
    }

    @Test("TL-10: a call beyond the limit has failed, and the end says why")
    func limit() async throws {
        let (code, session) = await run([.calls(.add([1])), .text("No.")], "--max-tool-rounds", "0")
        #expect(code == 0)
        let lines = try session.jsonLines()
        let failed = try #require(lines.first { $0.string(forKey: "type") == "toolCallFailed" })
        #expect(failed.value(forKey: "isError") == true)
        #expect(failed.value(forKey: "content")?.value(forKey: "error")?.string(forKey: "code") == "max_tool_rounds")
        #expect(lines.allSatisfy { $0.string(forKey: "type") != "toolRoundStarted" })
        #expect(lines.last?.string(forKey: "stopReason") == "max-tool-rounds")
        #expect(lines.last?.value(forKey: "roundsCompleted") == 0)
    }

    @Test("TL-12: the end has the call that it cut off")
    func incomplete() async throws {
        let answer = FakeAnswer(pieces: ["I"], stopReason: "max-tokens")
        let (_, session) = await run([.answer(answer, incompleteCall: "{\"tool")])
        let done = try #require(try session.jsonLines().last)
        #expect(done.string(forKey: "incompleteToolCall") == "{\"tool")
        #expect(done.string(forKey: "stopReason") == "max-tokens")
        #expect(session.errors.text.isEmpty)
    }

    @Test("a failure between replies is the last line, without any done")
    func failure() async throws {
        let (code, session) = await run([.calls(.add([1])), .failure(LLMEngineError.decodeFailed("no memory"))])
        #expect(code == 1)
        let types = try session.jsonLines().compactMap { $0.string(forKey: "type") }
        #expect(types.last == "error")
        #expect(!types.contains("done"))
        #expect(try session.jsonLines().last?.string(forKey: "code") == "decodeFailed")
    }

    @Test("EV-4: an interruption keeps what was produced", arguments: ["text", "jsonl"])
    func interruption(format: String) async throws {
        let (starts, started) = AsyncStream<Void>.makeStream()
        let session = CommandSession(engine: FakeToolEngine([.calls(.add([1])), .endless(started: started)]))
        let arguments = ["run", "--model", model.path, "hi", "--tools", "calculate", "--format", format]
        let run = Task { await session.run(arguments) }
        for await _ in starts {
            session.interrupt(.interrupt)
            break
        }
        #expect(await run.value == 130)
        #expect(session.runtime.log.unloads == 1)
        guard format == "jsonl" else {
            #expect(session.output.text == "so far\n")
            #expect(session.errors.lines.count == 2)
            return
        }
        #expect(session.errors.text.isEmpty)
        let lines = try session.jsonLines()
        #expect(lines.last?.string(forKey: "code") == "cancelled")
        #expect(lines.contains { $0.string(forKey: "text") == "so far" })
        #expect(lines.allSatisfy { $0.string(forKey: "type") != "done" })
    }
}
