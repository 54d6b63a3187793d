import CarbocationLocalLLM
import Foundation
import Testing

@testable import CLLMCommands

@Suite struct PreflightCommandTests {
    private let model: TemporaryFile

    init() throws {
        model = try TemporaryFile.model()
    }

    private func run(_ arguments: String..., contextSize: Int = 4096) async -> (Int32, CommandSession) {
        let session = CommandSession(engine: FakeEngine(contextSize: contextSize) { _, _ in })
        return (await session.run(["preflight", "--model", model.path] + arguments), session)
    }

    @Test("PF-1: the budget as JSON")
    func json() async throws {
        let (code, session) = await run("--json", "--max-tokens", "100", "--system", "Be brief.", "one two three")
        #expect(code == 0)
        #expect(
            try session.json() == [
                "loadedContextSize": 4096, "modelTrainingContextSize": 0, "promptTokens": 5, "reservedOutputTokens": 0,
                "availableOutputTokens": 4091, "effectiveMaxOutputTokens": 100, "canGenerate": true,
                "usesExactTokenCounts": true, "templateMode": "unavailable",
            ])
        #expect(session.runtime.log.unloads == 1)
    }

    @Test("a prompt that does not fit is a normal answer")
    func tooLong() async throws {
        let (code, session) = await run("one two three", contextSize: 3)
        #expect(code == 0)
        #expect(session.output.text.contains("prompt: 3 tokens\n"))
        #expect(session.output.text.hasSuffix("fits: no\n"))
    }

    @Test("--stats adds figures on stderr")
    func statistics() async throws {
        let (code, session) = await run("--json", "--stats", "one two three")
        #expect(code == 0)
        #expect(try session.json().value(forKey: "promptTokens") == 3)
        #expect(session.errors.text == "load: 100 ms\ncontext: 4096 tokens\nprompt tokens: 3\n")
        #expect(await run("one").1.errors.text.isEmpty)
    }

    @Test("the prompt may come from standard input")
    func standardInput() async throws {
        var session = CommandSession(engine: FakeEngine { _, _ in })
        session.input = MemoryReader("one two")
        #expect(await session.run("preflight", "--model", model.path, "--json") == 0)
        #expect(try session.json().value(forKey: "promptTokens") == 2)
    }
}
