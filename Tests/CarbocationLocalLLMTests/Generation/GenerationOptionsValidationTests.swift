import CarbocationLocalLLM
import Testing

@Suite("GenerationOptions, validation")
struct GenerationOptionsValidationTests {
    @Test(
        "GO-4: what is accepted",
        arguments: [
            GenerationOptions(),
            .extractionSafe,
            GenerationOptions(temperature: -0.0),
            GenerationOptions(temperature: -3),
            GenerationOptions(temperature: 1e30),
            GenerationOptions(topP: 0, minP: 0),
            GenerationOptions(topP: 2, minP: 1.5),
            GenerationOptions(topK: 0),
            GenerationOptions(topK: -5, maxOutputTokens: -1),
            GenerationOptions(topK: .max, maxOutputTokens: .max),
            GenerationOptions(presencePenalty: -2, repetitionPenalty: 0.1),
            GenerationOptions(thinkingBudgetTokens: 0),
            GenerationOptions(thinkingBudgetTokens: .max),
            GenerationOptions(logprobs: 0),
            GenerationOptions(logprobs: 20),
            GenerationOptions(stopSequences: ["", " ", "\n"]),
            GenerationOptions(grammar: "root ::= \"a\""),
            GenerationOptions(jsonSchema: ["type": "object"]),
        ])
    func accepted(options: GenerationOptions) throws {
        try options.validate()
    }

    @Test(
        "GO-4: what is refused, and the field that is named",
        arguments: [
            (GenerationOptions(temperature: .nan), "temperature"),
            (GenerationOptions(temperature: .infinity), "temperature"),
            (GenerationOptions(temperature: -.infinity), "temperature"),
            (GenerationOptions(topP: .nan), "topP"),
            (GenerationOptions(topP: .infinity), "topP"),
            (GenerationOptions(topP: -0.1), "topP"),
            (GenerationOptions(minP: .nan), "minP"),
            (GenerationOptions(minP: -1), "minP"),
            (GenerationOptions(presencePenalty: .nan), "presencePenalty"),
            (GenerationOptions(presencePenalty: -.infinity), "presencePenalty"),
            (GenerationOptions(repetitionPenalty: 0), "repetitionPenalty"),
            (GenerationOptions(repetitionPenalty: -1), "repetitionPenalty"),
            (GenerationOptions(repetitionPenalty: .infinity), "repetitionPenalty"),
            (GenerationOptions(thinkingBudgetTokens: -1), "thinkingBudgetTokens"),
            (GenerationOptions(logprobs: -1), "logprobs"),
            (GenerationOptions(logprobs: 21), "logprobs"),
            (GenerationOptions(grammar: "root ::= \"a\"", jsonSchema: ["type": "object"]), "grammar and jsonSchema"),
        ])
    func refused(options: GenerationOptions, field: String) {
        let error = #expect(throws: LLMEngineError.self) { try options.validate() }
        guard case .invalidOptions(let problem) = error else {
            Issue.record("\(String(describing: error)) is no invalidOptions")
            return
        }
        #expect(problem.hasPrefix(field))
    }

    @Test("GO-4: empty stops are dropped, white space is kept")
    func effectiveStopSequences() {
        let options = GenerationOptions(stopSequences: ["", "END", " ", "", "\n"])
        #expect(options.effectiveStopSequences == ["END", " ", "\n"])
    }
}
