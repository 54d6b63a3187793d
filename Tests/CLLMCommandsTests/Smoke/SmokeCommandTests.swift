import CarbocationLlamaRuntime
import CarbocationLocalLLM
import Testing

@testable import CLLMCommands

@Suite struct SmokeCommandTests {
    private let model: TemporaryFile

    init() throws {
        model = try TemporaryFile.model()
    }

    private static func engine(answer: String, json: String) -> FakeEngine {
        FakeEngine { request, emit in
            let text = request.options.grammar == nil ? answer : json
            for event in FakeAnswer(pieces: text.map { String($0) }).events { emit(event) }
        }
    }

    @Test("SC-14: prints the details, the answer, the normalised JSON and, last, smoke: ok")
    func success() async {
        let engine = Self.engine(answer: "Hi!", json: #"{"name": "Paris","country": "France"}"#)
        let session = CommandSession(engine: engine)
        #expect(await session.run("smoke", model.path) == 0)
        #expect(
            session.output.text == """
                llama.cpp: 1.2 (commit abc)
                architecture: fake
                context: 2048 of 8192
                load: 100 ms
                embeddedTemplate: true
                formatter=llama-jinja
                Hi!
                events: requestSent, firstByteReceived, phaseChanged, contentDelta ×3, generationStats, done, completed
                json: {"country":"France","name":"Paris"}
                smoke: ok

                """)
        #expect(session.errors.text.isEmpty)
        #expect(session.runtime.log.unloads == 1)
    }

    @Test("asks for a short greedy answer, then for JSON under a grammar")
    func requests() async throws {
        let engine = Self.engine(answer: "Hi!", json: #"{"name":"a","country":"b"}"#)
        var session = CommandSession(engine: engine)
        session.variables = ["CLLM_MODEL": model.path]
        #expect(await session.run("smoke") == 0)
        #expect(engine.requests.count == 2)
        #expect(engine.requests.map(\.options.temperature) == [0, 0])
        #expect(engine.requests.first?.options.maxOutputTokens == 48)
        let grammar = try #require(engine.requests.last?.options.grammar)
        #expect(grammar.hasPrefix("root ::= \"{\""))
    }

    @Test(
        "says what is wrong, exits 1 and never says ok",
        arguments: [
            ("", #"{"name":"a","country":"b"}"#, "The model's answer is empty (stop reason complete)."),
            ("Hi", "{\"name\":", "The answer under a grammar is no JSON (stop reason complete)."),
            ("Hi", "[1]", "The answer under a grammar lacks the keys that the grammar demands."),
            ("Hi", #"{"name":"a"}"#, "The answer under a grammar lacks the keys that the grammar demands."),
        ])
    func failure(answer: String, json: String, message: String) async {
        let session = CommandSession(engine: Self.engine(answer: answer, json: json))
        #expect(await session.run("smoke", model.path) == 1)
        #expect(session.errors.text == "cllm: \(message)\n")
        #expect(!session.output.text.contains("smoke: ok"))
        #expect(session.runtime.log.unloads == 1)
    }

    @Test("a model without a template, a version or a name of its architecture is described too")
    func details() {
        var info = FakeRuntime.details
        info.hasEmbeddedChatTemplate = false
        info.templateFormatter = nil
        info.architecture = nil
        let text = SmokeDetails(info, versions: nil, loadTime: .seconds(2)).text
        #expect(
            text == """
                architecture: unknown
                context: 2048 of 8192
                load: 2000 ms
                embeddedTemplate: false
                formatter=none

                """)
    }
}
