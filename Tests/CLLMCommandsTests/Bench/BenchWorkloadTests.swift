import CarbocationLlamaRuntime
import CarbocationLocalLLM
import Testing

@testable import CLLMCommands

@Suite struct BenchWorkloadTests {
    private static let workload = """
        {"context": 1024, "slots": 2, "conversations": [
          {"system": "Be brief.", "turns": [{"prompt": "One", "maxTokens": 3}, {"prompt": "Two", "maxTokens": 2}]},
          {"turns": [{"prompt": "Three", "maxTokens": 1, "jsonSchema": {"type": "integer"}}]}]}
        """

    private let model: TemporaryFile

    init() throws {
        model = try TemporaryFile.model()
    }

    private static func engine() -> FakeEngine {
        FakeEngine(contextSize: 4096) { request, emit in
            let pieces = Array(repeating: "a", count: request.options.maxOutputTokens ?? 0)
            for event in FakeAnswer(pieces: pieces, stopReason: "max-tokens").events { emit(event) }
        }
    }

    @Test("every conversation is held with its own replies")
    func conversations() async throws {
        let engine = Self.engine()
        let session = CommandSession(engine: engine)
        let file = try TemporaryFile(Self.workload)
        let arguments = ["--acceleration", "disabled", "--workload", file.path]
        #expect(await session.run(["bench", "--json", "--model", model.path] + arguments) == 0)
        // The first request is the warm-up; the order of what runs at the same time is open.
        let asked = Set(engine.requests.map { $0.messages.map(\.content) })
        #expect(asked == [["Hello"], ["Be brief.", "One"], ["Be brief.", "One", "aaa", "Two"], ["Three"]])
        let schemas = engine.requests.filter { $0.messages[0].content == "Three" }.map(\.options.jsonSchema)
        #expect(schemas == [["type": "integer"]])
        let load = try #require(session.runtime.log.loads.first)
        #expect(load.context == 1024)
        #expect(load.configuration.maximumConcurrentSequences == 2)
        #expect(load.configuration.accelerationPolicy == .disabled)
        let json = try session.json()
        #expect(json.value(forKey: "generatedTokens") == 6)
        let conversations = try #require(json.value(forKey: "conversations")?.arrayValue)
        let counts = conversations.map { $0.arrayValue?.map { $0.value(forKey: "generatedTokens") } }
        #expect(counts == [[3, 2], [1]])
    }

    @Test("the table names the sums")
    func table() async throws {
        let session = CommandSession(engine: Self.engine())
        let file = try TemporaryFile(Self.workload)
        #expect(await session.run(["bench", "--model", model.path, "--workload", file.path]) == 0)
        #expect(session.output.text.contains("turns: 3 in 2 conversations, 2 at the same time\n"))
        #expect(session.output.text.contains("generated tokens: 6 in "))
    }

    @Test(
        "a file that is no workload is refused with the place",
        arguments: [
            ("[]", "the workload needs conversations, an array with at least one element"),
            ("{", "is not JSON"),
            (#"{"conversations": []}"#, "the workload needs conversations, an array with at least one element"),
            (#"{"context": 1, "slots": 0, "conversations": [{"turns": [1]}]}"#, "needs slots, a whole number from 1"),
            (
                #"{"context": 1, "slots": 1, "conversations": [{"turns": [{"maxTokens": 1}]}]}"#,
                "conversation 1, turn 1 has no prompt"
            ),
            (
                #"{"context": 1, "slots": 1, "conversations": [{"system": 1, "turns": [{}]}]}"#,
                "conversation 1 has a value for system that is not text"
            ),
            (
                #"{"context": 1, "slots": 1, "conversations": [{"turns": [{"prompt": "a", "maxTokens": 1e9}]}]}"#,
                "conversation 1, turn 1 needs maxTokens"
            ),
        ])
    func refusals(text: String, reason: String) async throws {
        let session = CommandSession(engine: Self.engine())
        let file = try TemporaryFile(text)
        #expect(await session.run(["bench", "--model", model.path, "--workload", file.path]) == 1)
        #expect(session.errors.text.contains(reason))
    }
}
