import CarbocationLocalLLM
import Testing

@testable import CLLMCommands

@Suite struct DebugTokenizeCommandTests {
    private let model: TemporaryFile

    init() throws {
        model = try TemporaryFile.model()
    }

    @Test("prints an id and a quoted piece for each token")
    func text() async {
        let session = CommandSession()
        #expect(await session.run("debug", "tokenize", "--model", model.path, "one\ttwo \"é\"\n") == 0)
        #expect(session.output.text == "1\t\"one\\ttwo\"\n2\t\"\\\"é\\\"\\n\"\n")
    }

    @Test("--json has ids, pieces and bytes")
    func json() async throws {
        let session = CommandSession()
        #expect(await session.run("debug", "tokenize", "--json", "--model", model.path, "a é") == 0)
        #expect(try session.json() == ["ids": [1, 2], "pieces": ["a", "é"], "bytes": [[97], [195, 169]]])
    }

    @Test("a piece that is no character on its own becomes U+FFFD")
    func partialCharacter() {
        #expect(TokenReport(id: 1, bytes: [0xC3]).piece == "\u{FFFD}")
        #expect(TokenReport(id: 1, bytes: []).piece.isEmpty)
    }

    @Test("the text comes from the argument or from standard input", arguments: [["-"], []])
    func standardInput(arguments: [String]) async {
        var session = CommandSession()
        session.input = MemoryReader("from input\n")
        #expect(await session.run(["debug", "tokenize", "--model", model.path] + arguments) == 0)
        #expect(await session.run("debug", "tokenize", "--model", model.path, "") == 0)
        #expect(session.runtime.log.tokenized == ["from input\n", ""])
    }

    @Test("PT-5: --as-user-input reaches the tokeniser")
    func userInput() async {
        let session = CommandSession()
        #expect(await session.run("debug", "tokenize", "--model", model.path, "--as-user-input", "x") == 0)
        #expect(await session.run("debug", "tokenize", "--model", model.path, "x") == 0)
        #expect(session.runtime.log.userInputs == [true, false])
    }

    @Test("no model is a failure")
    func noModel() async {
        let session = CommandSession()
        #expect(await session.run("debug", "tokenize", "x") == 1)
        #expect(session.errors.text.hasPrefix("cllm: No model is given"))
    }
}
