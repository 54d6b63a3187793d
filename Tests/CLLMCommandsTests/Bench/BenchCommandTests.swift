import CarbocationLlamaRuntime
import CarbocationLocalLLM
import Testing

@testable import CLLMCommands

@Suite struct BenchCommandTests {
    private let model: TemporaryFile

    init() throws {
        model = try TemporaryFile.model()
    }

    /// An engine that counts words and generates as many tokens as it may, or `limit`.
    private static func engine(limit: Int = .max, contextSize: Int = 4096) -> FakeEngine {
        FakeEngine(contextSize: contextSize) { request, emit in
            let count = min(limit, request.options.maxOutputTokens ?? 0)
            var answer = FakeAnswer(pieces: Array(repeating: "1,", count: count), stopReason: "max-tokens")
            answer.promptTokens = request.messages[0].content.split(whereSeparator: \.isWhitespace).count
            for event in answer.events { emit(event) }
        }
    }

    @Test("measures distinct prompts of the planned length after a warm-up")
    func requests() async throws {
        let engine = Self.engine()
        let session = CommandSession(engine: engine)
        let arguments = ["--prompt-tokens", "100", "--generate-tokens=10", "--repetitions", "3"]
        #expect(await session.run(["bench", "--json", "--model", model.path] + arguments) == 0)
        let prompts = engine.requests.map { $0.messages[0].content }
        #expect(prompts.count == 4)
        #expect(prompts.dropFirst().map { $0.split(whereSeparator: \.isWhitespace).count } == [100, 100, 100])
        #expect(Set(prompts).count == 4)
        #expect(engine.requests.dropFirst().allSatisfy { $0.options.maxOutputTokens == 10 })
        #expect(engine.requests.allSatisfy { $0.options.temperature == 0 })
        #expect(session.runtime.log.loads.first?.context == 366)
    }

    @Test("threads and GPU layers reach the engine, and one token is enough")
    func configuration() async throws {
        let session = CommandSession(engine: Self.engine())
        let arguments = ["--threads", "2", "--gpu-layers=0", "--generate-tokens", "1", "--repetitions", "1"]
        #expect(await session.run(["bench", "--model", model.path] + arguments) == 0)
        let configuration = try #require(session.runtime.log.loads.first).configuration
        #expect(configuration.threadCount == 2)
        #expect(configuration.gpuLayerCount == 0)
        #expect(session.output.text.contains("decode: not measurable (1 generated tokens)\n"))
    }

    @Test("--json has the figures")
    func json() async throws {
        let session = CommandSession(engine: Self.engine())
        let arguments = ["--prompt-tokens", "100", "--generate-tokens=11", "--repetitions", "2", "--threads", "3"]
        #expect(await session.run(["bench", "--json", "--model", model.path] + arguments) == 0)
        let json = try session.json()
        // The clock advances 100 ms with every event: 2 to the first token, then one for each of the 11 pieces,
        // and one for the phase change. Of the prompt, 2 tokens were cached.
        let prefill = 98 / 0.2
        let decode = 10 / 1.2
        #expect(json.value(forKey: "architecture") == "fake")
        #expect(json.value(forKey: "contextSize") == 2048)
        #expect(json.value(forKey: "threads") == 3)
        #expect(json.value(forKey: "loadMilliseconds")?.doubleValue == 100)
        #expect(json.value(forKey: "peakMemoryBytes") == 3_145_728)
        #expect(
            json.value(forKey: "requested") == ["promptTokens": 100, "generateTokens": 11, "repetitions": 2])
        for name in ["median", "min", "max"] {
            let spread = json.value(forKey: "prefillTokensPerSecond")?.value(forKey: name)?.doubleValue ?? 0
            #expect(abs(spread - prefill) < 1e-6)
            let other = json.value(forKey: "decodeTokensPerSecond")?.value(forKey: name)?.doubleValue ?? 0
            #expect(abs(other - decode) < 1e-6)
        }
        let samples = try #require(json.value(forKey: "repetitions")?.arrayValue)
        #expect(samples.map { $0.value(forKey: "promptTokens") } == [100, 100])
        #expect(samples.map { $0.value(forKey: "cachedPromptTokens") } == [2, 2])
        #expect(samples.map { $0.value(forKey: "generatedTokens") } == [11, 11])
        #expect(samples.map { $0.value(forKey: "stopReason") } == ["max-tokens", "max-tokens"])
        #expect(json.value(forKey: "stageMicrosecondsPerToken")?.doubleValue == 2.5)
        #expect(json.value(forKey: "stageMicrosecondsPerTokenOfLongOutput")?.doubleValue == 3)
        #expect(samples.map { $0.value(forKey: "timeToFirstTokenMilliseconds")?.doubleValue } == [200, 200])
    }

    @Test("the text has a line for each figure")
    func text() async {
        let session = CommandSession(engine: Self.engine())
        let arguments = ["--prompt-tokens", "100", "--generate-tokens=11", "--repetitions", "2"]
        #expect(await session.run(["bench", "--model", model.path] + arguments) == 0)
        #expect(
            session.output.text == """
                load: 100 ms
                prefill: 490.0 tokens/s (median of 2, 490.0–490.0; 100 prompt tokens)
                decode: 8.3 tokens/s (median of 2, 8.3–8.3; 11 generated tokens)
                stages: 2.50 µs per token, 3.00 in an output of 64 KiB
                peak memory: 3.0 MiB

                """)
    }

    @Test("the real number of tokens is told when the model ends early")
    func early() async throws {
        let session = CommandSession(engine: Self.engine(limit: 1))
        #expect(await session.run("bench", "--repetitions", "1", "--model", model.path) == 0)
        #expect(session.output.text.contains("decode: not measurable (1 generated tokens)\n"))
        #expect(session.output.text.contains("512 prompt tokens"))
    }

    @Test("a prompt that cannot be as short as planned is told by its real length")
    func shortPrompt() async throws {
        let session = CommandSession(engine: Self.engine())
        #expect(await session.run("bench", "--json", "--prompt-tokens", "3", "--model", model.path) == 0)
        let samples = try #require(try session.json().value(forKey: "repetitions")?.arrayValue)
        #expect(samples.count == 5)
        #expect(samples.allSatisfy { ($0.value(forKey: "promptTokens")?.intValue ?? 0) > 3 })
    }

    @Test("a context that is too small is a failure with a remedy")
    func smallContext() async {
        let session = CommandSession(engine: Self.engine(contextSize: 600))
        #expect(await session.run("bench", "--context", "600", "--model", model.path) == 1)
        #expect(
            session.errors.text
                == "cllm: The context of 600 tokens does not hold 512 tokens of prompt and 128 of output: measure "
                + "fewer, or pass a larger --context if the model allows it.\n")
        #expect(session.runtime.log.loads.first?.context == 600)
        #expect(session.runtime.log.unloads == 1)
    }

    @Test("a terminal shows which measurement runs")
    func progress() async {
        var session = CommandSession(engine: Self.engine())
        session.errors = MemoryWriter(isTerminal: true)
        #expect(await session.run("bench", "--repetitions", "2", "--model", model.path) == 0)
        #expect(
            session.errors.pieces.filter { $0.hasPrefix("Measuring") } == ["Measuring 1 of 2 …", "Measuring 2 of 2 …"])
    }
}
