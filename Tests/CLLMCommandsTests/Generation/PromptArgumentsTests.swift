import CarbocationLocalLLM
import Testing

@testable import CLLMCommands

@Suite struct PromptArgumentsTests {
    private struct Outcome {
        var code: Int32
        var messages: [LLMChatMessage]?
        var errors: String
    }

    private func run(_ arguments: [String], input: any ByteReading = MemoryReader("")) async throws -> Outcome {
        let model = try TemporaryFile.model()
        let engine = FakeEngine.answering(["x"])
        var session = CommandSession(engine: engine)
        session.input = input
        let code = await session.run(["run", "--model", model.path] + arguments)
        return Outcome(code: code, messages: engine.requests.first?.messages, errors: session.errors.text)
    }

    @Test("MS-1: a prompt is one user message, after the system text unless that is blank")
    func prompt() async throws {
        let user = LLMChatMessage(role: .user, content: "hi")
        let system = LLMChatMessage(role: .system, content: "Be brief.")
        #expect(try await run(["hi"]).messages == [user])
        #expect(try await run(["hi", "--system", "Be brief."]).messages == [system, user])
        #expect(try await run(["--system= \n", "hi"]).messages == [user])
    }

    @Test("'-' and nothing read standard input as it is", arguments: [["-"], []])
    func standardInput(arguments: [String]) async throws {
        let text = "\u{FEFF}  first\r\nsecond \u{0} e\u{301} 😀\n\n"
        let outcome = try await run(arguments, input: MemoryReader(text))
        let content = try #require(outcome.messages?.first?.content)
        #expect(Array(content.utf8) == Array(text.utf8))
        #expect(outcome.errors.isEmpty)
    }

    @Test("a person at a terminal is told what is waited for, unless --quiet")
    func terminal() async throws {
        let outcome = try await run([], input: MemoryReader("hi", isTerminal: true))
        #expect(outcome.errors == "cllm: reading standard input; Ctrl-D ends it\n")
        #expect(try await run(["--quiet"], input: MemoryReader("hi", isTerminal: true)).errors.isEmpty)
    }

    @Test("input that is not UTF-8 is refused, with the place")
    func invalidUTF8() async throws {
        let outcome = try await run([], input: MemoryReader(bytes: [0x61, 0x62, 0xFF, 0x63]))
        #expect(outcome.code == 1)
        #expect(outcome.messages == nil)
        #expect(
            outcome.errors == "cllm: Standard input is not UTF-8 text: the byte at offset 2 fits no character.\n")
    }

    @Test("an empty prompt is refused", arguments: [[""], ["-"], []])
    func empty(arguments: [String]) async throws {
        let outcome = try await run(arguments)
        #expect(outcome.code == 1)
        #expect(outcome.messages == nil)
        #expect(outcome.errors == "cllm: The prompt is empty: give it as an argument or on standard input.\n")
    }

    @Test("--messages takes a conversation, after the system text, and leaves standard input alone")
    func messages() async throws {
        let file = try TemporaryFile(#"[{"role":"system","content":"A"},{"role":"user","content":"B"}]"#)
        let outcome = try await run(
            ["--messages", file.path, "--system", "S"], input: MemoryReader(bytes: nil))
        #expect(outcome.code == 0)
        #expect(outcome.messages?.map(\.content) == ["S", "A", "B"])
        #expect(outcome.messages?.map(\.role) == [.system, .system, .user])
    }
}
