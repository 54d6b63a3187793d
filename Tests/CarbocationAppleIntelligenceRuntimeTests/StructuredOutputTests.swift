import AppleIntelligenceWithStubs
import CarbocationLocalLLM
import FoundationModels
import TestSupport
import Testing

@Suite("Stops and JSON of the system's model", .timeLimit(.minutes(10)))
struct StructuredOutputTests {
    private let engine = AppleIntelligenceEngine.quiet

    struct Row: Sendable {
        var output: String
        var options: Options
        var text: String
        var reason: LLMStopReason
    }

    static let rows = [
        Row(
            output: #"preamble {"items":[{"ok":true}]} trailing"#, options: Options(stopAtBalancedJSON: true),
            text: #"{"items":[{"ok":true}]}"#, reason: .jsonComplete),
        Row(
            output: #"lead [{"a":1},{"b":2}] trailing"#, options: Options(grammar: "root ::= \"x\""),
            text: #"[{"a":1},{"b":2}]"#, reason: .jsonComplete),
        Row(
            output: #"use {{ x }} then {"ok":true}"#, options: Options(jsonSchema: ["oneOf": []]),
            text: #"{"ok":true}"#, reason: .jsonComplete),
        Row(
            output: #"prefix STOP {"ok":true}"#, options: Options(stopSequences: ["STOP"], stopAtBalancedJSON: true),
            text: "prefix ", reason: .stopSequence),
        Row(
            output: "see [1] for more", options: Options(stopAtBalancedJSON: true), text: "[1]",
            reason: .complete),
        Row(
            output: #"{"t":"x } y"#, options: Options(stopAtBalancedJSON: true), text: #"{"t":"x } y"#,
            reason: .complete),
        Row(output: "one two", options: Options(stopSequences: ["", "wo"]), text: "one t", reason: .stopSequence),
        Row(output: "one tw", options: Options(stopSequences: ["two"]), text: "one tw", reason: .complete),
    ]

    @Test("AI-4: however the output is cut", arguments: rows)
    func cut(row: Row) async {
        for pieces in row.output.chunkings(samples: 6) {
            let script = StubScript([StubScript.snapshots(pieces)])
            let log = await script.run { await engine.log("Hi", row.options) }
            #expect(log.folded == row.text)
            #expect(log.result?.finalText == row.text)
            #expect(log.result?.stopReason == row.reason)
        }
    }

    @Test("AI-4: a correction is read from its beginning")
    func correction() async {
        let script = StubScript([[.snapshot(#"{"a":"#), .snapshot(#"Sure: {"b":1}"#)]])
        let log = await script.run { await engine.log("Hi", Options(stopAtBalancedJSON: true)) }
        #expect(log.folded == #"{"b":1}"#)
        #expect(log.result?.finalText == #"{"b":1}"#)
    }

    @Test("AI-4: what ends the answer ends the system's reply")
    func ended() async {
        let ended = OneShot<Bool>()
        let never = OneShot<Void>()
        let script = StubScript([
            [
                .snapshot("one STOP"),
                .perform {
                    defer { ended.resolve(Task.isCancelled) }
                    try await Cancellable.value { await never.value() }
                },
            ]
        ])
        let log = await script.run { await engine.log("Hi", Options(stopSequences: ["STOP"])) }
        #expect(log.result?.finalText == "one ")
        #expect(await ended.value())
    }

    static let directive = "Answer with one JSON value and nothing else: no text around it and no code fence."

    @Test("AI-4: JSON is asked for in the instructions")
    func directives() async {
        let schema: LLMJSONValue = ["type": "string", "pattern": "a"]
        let script = StubScript.answers("{}", "{}", "{}")
        await script.run {
            _ = await engine.log("Hi", system: "Be kind.", Options(stopAtBalancedJSON: true))
            _ = await engine.log("Hi", Options(grammar: "root ::= \"x\""))
            _ = await engine.log("Hi", Options(jsonSchema: schema))
        }
        #expect(
            script.requests.map(\.transcript) == [
                ["instructions: Be kind.\n\n\(Self.directive)"], ["instructions: \(Self.directive)"],
                [
                    "instructions: \(Self.directive)\n\nThe JSON value has to follow this JSON schema:\n"
                        + schema.jsonString()
                ],
            ])
        #expect(script.requests.map(\.schema) == [nil, nil, nil])
    }

    @Test("AI-4: a schema that can be expressed is used natively, and only the whole value is given")
    func native() async {
        let script = StubScript([[.snapshot(#"{"n":"A"}"#), .snapshot(#"{"n":"Ann","age":3}"#)]])
        let schema: LLMJSONValue = [
            "type": "object", "properties": ["n": ["type": "string"], "age": ["type": "integer"]], "required": ["n"],
        ]
        let log = await script.run { await engine.log("Hi", Options(jsonSchema: schema)) }
        #expect(log.result?.finalText == #"{"n":"Ann","age":3}"#)
        #expect(log.result?.stopReason == .jsonComplete)
        #expect(log.lines.filter { $0.hasPrefix("stream-correction") }.isEmpty)
        #expect(script.requests.map(\.schema) == ["Answer{n:String,age?:Int}"])
    }
}
