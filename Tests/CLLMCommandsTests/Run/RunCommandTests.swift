import CarbocationLocalLLM
import Foundation
import Testing

@testable import CLLMCommands

@Suite struct RunCommandTests {
    private let model: TemporaryFile

    init() throws {
        model = try TemporaryFile.model()
    }

    @Test("the answer goes to stdout piece by piece, and nothing else anywhere")
    func text() async {
        let session = CommandSession(engine: FakeEngine.answering(["Hel", "lo"]))
        #expect(await session.run("run", "--model", model.path, "hi") == 0)
        #expect(session.output.pieces == ["Hel", "lo", "\n"])
        #expect(session.errors.text.isEmpty)
        #expect(session.runtime.log.unloads == 1)
    }

    @Test("CLLM_MODEL stands in for --model")
    func modelFromEnvironment() async {
        var session = CommandSession()
        session.variables = ["CLLM_MODEL": model.path]
        #expect(await session.run("run", "hi") == 0)
        #expect(session.runtime.log.loads.first?.source.url?.path == model.path)
    }

    @Test("thinking goes to stderr, unless --quiet")
    func thinking() async {
        let engine = FakeEngine.answering(["42"], thinking: ["let me", " see"])
        let session = CommandSession(engine: engine)
        #expect(await session.run("run", "--think", "--model", model.path, "hi") == 0)
        #expect(session.output.text == "42\n")
        #expect(session.errors.text == "let me see\n")
        let quiet = CommandSession(engine: engine)
        #expect(await quiet.run("run", "--think", "--quiet", "--model", model.path, "hi") == 0)
        #expect(quiet.output.text == "42\n")
        #expect(quiet.errors.text.isEmpty)
    }

    @Test("jsonl prints the events in order and nothing on stderr")
    func events() async throws {
        let engine = FakeEngine.answering(["a", "b"], thinking: ["t"], stopReason: "max-tokens", seed: 5)
        let session = CommandSession(engine: engine)
        #expect(await session.run("run", "--format", "jsonl", "--model", model.path, "hi") == 0)
        let lines = try session.jsonLines()
        let types = lines.map { $0.value(forKey: "type")?.stringValue }
        #expect(
            types == [
                "requestSent", "firstByteReceived", "phaseChanged", "contentDelta", "phaseChanged", "contentDelta",
                "contentDelta", "generationStats", "done",
            ])
        #expect(session.output.pieces.count == lines.count)
        let done = try #require(lines.last)
        #expect(done.value(forKey: "seed") == 5)
        #expect(done.value(forKey: "stopReason") == "max-tokens")
        #expect(
            done.value(forKey: "usage") == ["promptTokens": 7, "cachedPromptTokens": 2, "generatedTokens": 3])
        #expect(session.errors.text.isEmpty)
    }

    @Test("--stats writes its lines to stderr after the answer", arguments: [[], ["--quiet"], ["--format=jsonl"]])
    func statistics(options: [String]) async {
        let session = CommandSession()
        #expect(await session.run(["run", "--stats", "--model", model.path, "hi"] + options) == 0)
        let names = session.errors.lines.map { $0.prefix { $0 != ":" } }
        #expect(
            names == [
                "load", "prompt tokens", "cached prompt tokens", "generated tokens", "time to first token", "prefill",
                "decode", "stop reason",
            ])
        #expect(session.errors.lines.first == "load: 100 ms")
        #expect(session.errors.lines.last == "stop reason: complete")
    }

    @Test("a failure after some text ends the line and exits 1")
    func failure() async {
        let engine = FakeEngine { _, emit in
            emit(.contentDelta(phase: .final, text: "half", bytesSoFar: 4))
            throw LLMEngineError.decodeFailed("no memory")
        }
        let session = CommandSession(engine: engine)
        #expect(await session.run("run", "--model", model.path, "hi") == 1)
        #expect(session.output.text == "half\n")
        #expect(session.errors.text == "cllm: The model stopped with a failure: no memory.\n")
        #expect(session.runtime.log.unloads == 1)
    }

    @Test("in jsonl a failure is also the last event, whenever it happens")
    func failureEvents() async throws {
        let engine = FakeEngine { _, emit in
            emit(.requestSent(phase: .unknown))
            throw LLMEngineError.contextBudgetExceeded(contextSize: 512, promptTokens: 600, reserve: 0)
        }
        let session = CommandSession(engine: engine)
        #expect(await session.run("run", "--format", "jsonl", "--model", model.path, "hi") == 1)
        let event = try #require(try session.jsonLines().last)
        #expect(event.value(forKey: "type") == "error")
        #expect(event.value(forKey: "code") == "contextBudgetExceeded")
        let message = event.value(forKey: "message")?.stringValue ?? ""
        #expect(session.errors.text == "cllm: \(message)\n")
        let without = CommandSession()
        #expect(await without.run("run", "--format", "jsonl", "--model", "/nonexistent", "hi") == 1)
        #expect(try without.jsonLines().map { $0.value(forKey: "code") } == ["modelNotFound"])
    }

    @Test("an engine that ends without a result has failed")
    func noResult() async {
        let session = CommandSession(engine: FakeEngine { _, _ in })
        #expect(await session.run("run", "--model", model.path, "hi") == 1)
        #expect(session.errors.text.contains("ended without a result"))
    }

    @Test("a wrong model is told before standard input is waited for")
    func modelFirst() async {
        var session = CommandSession()
        session.input = MemoryReader(bytes: nil)
        #expect(await session.run("run", "--model", "/nonexistent.gguf") == 1)
    }

    @Test("a terminal shows that the model is loading, and the line is gone afterwards")
    func loadingLine() async {
        var session = CommandSession()
        session.errors = MemoryWriter(isTerminal: true)
        #expect(await session.run("run", "--model", model.path, "hi") == 0)
        #expect(session.errors.text == "Loading model.gguf …\r\u{1B}[K")
        session.errors = MemoryWriter(isTerminal: true)
        #expect(await session.run("run", "--quiet", "--model", model.path, "hi") == 0)
        #expect(session.errors.text.isEmpty)
    }

    @Test("EV-12: diagnostics are shown with --verbose only")
    func diagnostics() async {
        let engine = FakeEngine { _, emit in
            emit(.diagnostic(message: "prefill 10 of 20"))
            for event in FakeAnswer(pieces: ["x"]).events { emit(event) }
        }
        let session = CommandSession(engine: engine)
        #expect(await session.run("run", "--model", model.path, "hi") == 0)
        #expect(session.errors.text.isEmpty)
        #expect(await session.run("run", "--verbose", "--model", model.path, "hi") == 0)
        #expect(session.errors.lines.contains("cllm: prefill 10 of 20"))
        #expect(session.errors.lines.contains("cllm: loaded in 100 ms, context 2048 tokens"))
    }
}
