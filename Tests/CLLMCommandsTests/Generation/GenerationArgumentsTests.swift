import CarbocationLocalLLM
import Testing

@testable import CLLMCommands

@Suite struct GenerationArgumentsTests {
    private func options(_ arguments: [String]) async throws -> GenerationOptions {
        let model = try TemporaryFile.model()
        let engine = FakeEngine.answering(["x"])
        let session = CommandSession(engine: engine)
        #expect(await session.run(["run", "--model", model.path, "hi"] + arguments) == 0)
        return try #require(engine.requests.first).options
    }

    @Test("without options nothing is set")
    func defaults() async throws {
        #expect(try await options([]) == GenerationOptions())
    }

    @Test("every option reaches its field")
    func everything() async throws {
        let grammar = try TemporaryFile("root ::= \"é\"\n")
        let options = try await options([
            "--max-tokens", "9", "--temperature", "0.5", "--top-k", "20", "--top-p", "0.9", "--min-p", "0.05",
            "--presence-penalty", "-0.5", "--repetition-penalty", "1.1", "--seed", "4294967295", "--stop", "END",
            "--stop=\n", "--think", "--reasoning-effort", "no_think", "--grammar", grammar.path,
        ])
        let expected = GenerationOptions(
            temperature: 0.5, topP: 0.9, topK: 20, minP: 0.05, presencePenalty: -0.5, repetitionPenalty: 1.1,
            maxOutputTokens: 9, seed: .max, stopSequences: ["END", "\n"], grammar: "root ::= \"é\"\n",
            enableThinking: true, reasoningEffort: .noThink)
        #expect(options == expected)
    }

    @Test("GO-4: values that mean 'not set' are passed on", arguments: ["0", "-1"])
    func notSet(value: String) async throws {
        let options = try await options(["--top-k", value, "--max-tokens", value, "--temperature", value])
        #expect(options.topK == Int(value))
        #expect(options.maxOutputTokens == Int(value))
        #expect(options.temperature == Double(value))
    }

    @Test("a schema is JSON text or the name of a file with it")
    func schema() async throws {
        let file = try TemporaryFile(#"{"type": "integer"}"#)
        for source in [#" {"type": "integer"}"#, file.path] {
            #expect(try await options(["--json-schema", source]).jsonSchema == ["type": "integer"])
        }
        let model = try TemporaryFile.model()
        let session = CommandSession()
        #expect(await session.run("run", "--model", model.path, "--json-schema", "{,}", "hi") == 1)
        #expect(session.errors.text.contains("not valid JSON"))
    }

    @Test("a grammar that cannot be read fails before the model is loaded")
    func missingGrammar() async throws {
        let model = try TemporaryFile.model()
        let session = CommandSession()
        #expect(await session.run("run", "--model", model.path, "--grammar", "/nonexistent.gbnf", "hi") == 1)
        #expect(session.errors.text == "cllm: '/nonexistent.gbnf' cannot be read: No such file or directory.\n")
        #expect(session.runtime.log.loads.isEmpty)
    }
}
