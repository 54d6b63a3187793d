import CarbocationLocalLLM
import Foundation
import Testing

@Suite("Tool choices")
struct LLMToolChoiceTests {
    private func decoded(_ json: String) throws -> LLMToolChoice {
        try JSONDecoder().decode([LLMToolChoice].self, from: Data("[\(json)]".utf8))[0]
    }

    @Test(
        "TL-3: coding",
        arguments: [
            (.auto, #"{"type":"auto"}"#), (.none, #"{"type":"none"}"#), (.required, #"{"type":"required"}"#),
            (.named("add"), #"{"name":"add","type":"named"}"#), (.named("auto"), #"{"name":"auto","type":"named"}"#),
        ] as [(LLMToolChoice, String)])
    func coding(choice: LLMToolChoice, json: String) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        #expect(String(decoding: try encoder.encode(choice), as: UTF8.self) == json)
        #expect(try decoded(json) == choice)
    }

    @Test(
        "TL-3: bare strings",
        arguments: [
            ("auto", .auto), ("none", .none), ("required", .required), ("add", .named("add")),
            ("named", .named("named")),
        ] as [(String, LLMToolChoice)])
    func bareStrings(word: String, choice: LLMToolChoice) throws {
        #expect(try decoded("\"\(word)\"") == choice)
    }

    @Test("what is no choice", arguments: [#"{"type":"some"}"#, #"{"type":"named"}"#, "{}", "1", "null"])
    func errors(json: String) {
        #expect(throws: DecodingError.self) { try decoded(json) }
    }
}
