import CarbocationLocalLLM
import Foundation
import Testing

@Suite("GenerationOptions")
struct GenerationOptionsTests {
    @Test("GO-1: extractionSafe sets three fields and leaves the rest")
    func extractionSafe() {
        #expect(GenerationOptions.extractionSafe == GenerationOptions(temperature: 0, topP: 0.9, topK: 40))
    }

    @Test("GO-1: with(…) replaces one field of a copy")
    func with() {
        let options = GenerationOptions(temperature: 0.5, seed: 3)
        var expected = options
        expected.grammar = "root ::= \"a\""
        #expect(options.with(grammar: "root ::= \"a\"") == expected)
        #expect(expected.with(grammar: nil) == options)
        expected = options
        expected.jsonSchema = ["type": "object"]
        #expect(options.with(jsonSchema: ["type": "object"]) == expected)
        #expect(expected.with(jsonSchema: nil) == options)
    }

    @Test("GO-2: default options encode to an empty object")
    func defaultsEncodeToNothing() throws {
        #expect(try String(decoding: JSONEncoder().encode(GenerationOptions()), as: UTF8.self) == "{}")
        #expect(try JSONDecoder().decode(GenerationOptions.self, from: Data("{}".utf8)) == GenerationOptions())
    }

    @Test("GO-2: nil, empty and false fields are left out, zeros and optional false are not")
    func encodedKeys() throws {
        let options = GenerationOptions(
            temperature: 0, stopSequences: [], stopAtBalancedJSON: false, grammar: "", preserveThinking: false,
            thinkingBudgetTokens: 0, streamPhaseConfiguration: LLMStreamPhaseConfiguration(startsInThinking: false))
        let json = try LLMJSONValue(jsonData: JSONEncoder().encode(options))
        #expect(
            json == [
                "temperature": 0, "preserveThinking": false, "thinkingBudgetTokens": 0,
                "streamPhaseConfiguration": ["startsInThinking": false],
            ])
    }

    @Test("GO-2: missing keys take defaults, unknown and null ones are ignored")
    func decoding() throws {
        let decoder = JSONDecoder()
        let old = Data(#"{"temperature":0.1,"topP":0.8,"topK":32}"#.utf8)
        let expected = GenerationOptions(temperature: 0.1, topP: 0.8, topK: 32)
        #expect(try decoder.decode(GenerationOptions.self, from: old) == expected)
        let odd = Data(
            #"{"temperature":0.1,"topP":0.8,"topK":32,"mirostat":2,"stopSequences":null,"enableThinking":null}"#.utf8)
        #expect(try decoder.decode(GenerationOptions.self, from: odd) == expected)
    }

    @Test("GO-2: all fields survive a round trip")
    func roundTrip() throws {
        let options = GenerationOptions(
            temperature: 0.7, topP: 0.9, topK: 40, minP: 0.05, presencePenalty: 0.1, repetitionPenalty: 1.1,
            maxOutputTokens: 128, seed: .max, stopSequences: ["END", " ", ""], stopAtBalancedJSON: true,
            grammar: "root ::= \"a\"", jsonSchema: ["type": "object", "required": ["a"]], enableThinking: true,
            reasoningEffort: .medium, preserveThinking: true, thinkingBudgetTokens: 0,
            thinkingBudgetMessage: "Time is up.",
            streamPhaseConfiguration: LLMStreamPhaseConfiguration(
                thinkingPairs: [OutputDelimiterPair(open: "<t>", close: "</t>")], finalMarkers: ["<final>"],
                startsInThinking: true),
            logprobs: 5)
        let data = try JSONEncoder().encode(options)
        #expect(try JSONDecoder().decode(GenerationOptions.self, from: data) == options)
        #expect(try LLMJSONValue(jsonData: data).string(forKey: "reasoningEffort") == "medium")
    }

    @Test(
        "GO-2: a negative budget and values of a wrong kind are decoding errors",
        arguments: [
            #"{"thinkingBudgetTokens":-1}"#, #"{"temperature":"hot"}"#, #"{"seed":-1}"#, #"{"seed":4294967296}"#,
            #"{"reasoningEffort":"extreme"}"#, #"{"stopSequences":"END"}"#, "[]",
        ])
    func decodingErrors(json: String) {
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(GenerationOptions.self, from: Data(json.utf8))
        }
    }

    @Test("the efforts have the names that templates use")
    func efforts() {
        let names = LLMReasoningEffort.allCases.map(\.rawValue)
        #expect(names == ["minimal", "low", "medium", "high", "xhigh", "max", "none", "no_think"])
    }
}
