import CarbocationLocalLLM
import Foundation
import Testing

@Suite("StructuredDecoding")
struct StructuredDecodingTests {
    struct Answer: Codable, Equatable {
        var title: String
        var count: Int?
        var date: Date?
    }

    private static func decode<T: Decodable>(
        _ type: T.Type, _ text: String, stopReason: LLMStopReason = .complete
    ) throws -> T {
        let result = LLMGenerationResult(thinkingText: "{\"title\":\"draft\"}", finalText: text, stopReason: stopReason)
        return try StructuredDecoding.decode(type, from: result)
    }

    /// The message of the error that decoding must fail with.
    private static func failure<T: Decodable>(
        _ type: T.Type, _ text: String, stopReason: LLMStopReason = .complete
    ) -> String? {
        let error = #expect(throws: LLMEngineError.self) {
            _ = try decode(type, text, stopReason: stopReason)
        }
        guard case .structuredOutputInvalid(let message) = error else { return nil }
        return message
    }

    @Test("ST-4: an answer that breaks the schema is invalid, whatever the type would take")
    func schema() throws {
        let schema: LLMJSONValue = [
            "type": "object", "properties": ["title": ["type": "string", "minLength": 2]], "required": ["title"],
        ]
        func decode(_ text: String) throws -> Answer {
            try StructuredDecoding.decode(
                Answer.self, from: LLMGenerationResult(finalText: text, stopReason: .complete), schema: schema)
        }
        #expect(try decode("{\"title\":\"ab\"}") == Answer(title: "ab"))
        let error = #expect(throws: LLMEngineError.self) { try decode("{\"title\":\"a\"}") }
        guard case .structuredOutputInvalid(let message) = error else { throw try #require(error) }
        #expect(message.contains("/title"))
    }

    @Test("ST-4: the answer is decoded by the rules of LocalLLMJSON, the thinking is not looked at")
    func answers() throws {
        #expect(try Self.decode(Answer.self, "{\"title\":\"x\"}") == Answer(title: "x"))
        #expect(try Self.decode(Answer.self, " \n{\"title\":\"x\",\"count\":2}\n") == Answer(title: "x", count: 2))
        let dated = try Self.decode(Answer.self, "{\"title\":\"\",\"date\":\"1970-01-01T00:00:01Z\"}")
        #expect(dated.date == Date(timeIntervalSince1970: 1))
        #expect(try Self.decode([Int].self, "[1,2]", stopReason: .jsonComplete) == [1, 2])
        #expect(try Self.decode(String.self, "\"a\\ud83d\"") == "a\u{FFFD}")
        #expect(try Self.decode(UInt64.self, "18446744073709551615") == .max)
    }

    @Test(
        "ST-4: a cut-off answer is invalid, also where the rest would decode",
        arguments: [LLMStopReason.maxTokens, .contextFull])
    func cutOff(stopReason: LLMStopReason) {
        let message = Self.failure(Answer.self, "{\"title\":\"x\",\"count\":1", stopReason: stopReason)
        #expect(message?.hasPrefix("the answer was cut off (\(stopReason.rawValue))") == true)
        #expect(Self.failure(Answer.self, "", stopReason: stopReason)?.contains("<empty response>") == true)
        #expect(Self.failure(Int.self, "12", stopReason: stopReason)?.contains("may be cut off") == true)
    }

    @Test("ST-4: a limit that is reached with the last token of the answer does no harm")
    func completeAtLimit() throws {
        #expect(try Self.decode(Answer.self, "{\"title\":\"x\"}", stopReason: .maxTokens) == Answer(title: "x"))
        #expect(try Self.decode(Int.self, "12\n", stopReason: .maxTokens) == 12)
        #expect(try Self.decode(String.self, "\"1\"", stopReason: .maxTokens) == "1")
    }

    @Test(
        "ST-4, J05: what does not decode is invalid and says why",
        arguments: [
            ("", "<empty response>"), ("{}", "no key title"), ("{\"title\":1}", "no String at title"),
            ("{\"title\":null}", "no String at title"), ("{\"title\":\"x\",}", "Invalid JSON at byte 13"),
            ("{\"title\":\"x\"} trailing", "Invalid JSON"), ("{\"title\":\"x", "Invalid JSON"),
            ("{\"title\":\"x\",\"date\":\"soon\"}", "ISO 8601"), ("Sure: {\"title\":\"x\"}", "Invalid JSON"),
        ])
    func undecodable(text: String, problem: String) {
        #expect(Self.failure(Answer.self, text)?.contains(problem) == true)
    }
}
