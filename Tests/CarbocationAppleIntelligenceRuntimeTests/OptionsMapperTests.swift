import CarbocationLocalLLM
import Testing

@testable import AppleIntelligenceWithStubs

@Suite("Options for the system's model")
struct OptionsMapperTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var options: Options
        var sampling: AppleIntelligenceOptions.Sampling
        var temperature: Double?
        var unsupported: [AppleIntelligenceUnsupportedOption] = []

        init(
            _ name: String, _ options: Options, _ sampling: AppleIntelligenceOptions.Sampling,
            temperature: Double? = nil, _ unsupported: [AppleIntelligenceUnsupportedOption] = []
        ) {
            testDescription = name
            self.options = options
            self.sampling = sampling
            self.temperature = temperature
            self.unsupported = unsupported
        }
    }

    static let rows = [
        Row("greedy with a grammar", Options(temperature: 0, grammar: "root ::= \"a\""), .greedy, [.grammar]),
        Row("minus zero", Options(temperature: -0.0), .greedy),
        Row("below zero", Options(temperature: -1), .greedy),
        Row("extraction", .extractionSafe, .greedy),
        Row("greedy with minP", Options(temperature: 0, minP: 0.05), .greedy),
        Row("greedy with a penalty", Options(temperature: 0, presencePenalty: 1), .greedy, [.presencePenalty]),
        Row(
            "two filters", Options(topP: 0.7, topK: 12, seed: 99), .top(count: 12, seed: 99),
            [.combinedSamplingFilters]),
        Row("topP above one", Options(topP: 1.5), .threshold(1, seed: nil)),
        Row(
            "topP with a seed", Options(temperature: 0.4, topP: 0.7, seed: 3), .threshold(0.7, seed: 3),
            temperature: 0.4),
        Row("topP of zero", Options(temperature: 0.4, topP: 0), .greedy),
        Row("topK with a topP that lets all through", Options(topP: 1, topK: 12), .top(count: 12, seed: nil)),
        Row("topK of zero", Options(topK: 0), .systemDefault),
        Row(
            "what there is no option for", Options(minP: 0.05, presencePenalty: 1.2, repetitionPenalty: 1.1),
            .systemDefault, [.minP, .presencePenalty, .repetitionPenalty]),
        Row(
            "neutral values", Options(topP: 1, minP: 0, presencePenalty: 0, repetitionPenalty: 1),
            .threshold(1, seed: nil)),
        Row("nothing", Options(), .systemDefault),
        Row("a temperature", Options(temperature: 0.8), .systemDefault, temperature: 0.8),
        Row("a seed", Options(seed: 7), .threshold(1, seed: 7)),
        Row(
            "a schema that cannot be expressed", Options(jsonSchema: ["type": "string", "pattern": "a+"]),
            .systemDefault, [.jsonSchema]),
        Row("a schema", Options(jsonSchema: ["type": "object", "properties": [:]]), .systemDefault),
        Row(
            "what has no effect",
            Options(stopSequences: ["a"], enableThinking: true, thinkingBudgetTokens: 3, logprobs: 2),
            .systemDefault),
    ]

    @Test("AI-3: how options are mapped", arguments: rows)
    func row(_ row: Row) {
        let resolved = AppleIntelligenceOptionsMapper.resolve(row.options)
        #expect(resolved.sampling == row.sampling)
        #expect(resolved.temperature == row.temperature)
        #expect(resolved.unsupported == row.unsupported)
    }

    @Test(
        "AI-4: only a positive limit is passed on",
        arguments: [(nil, nil), (0, nil), (-3, nil), (64, 64)] as [(Int?, Int?)])
    func limit(requested: Int?, passed: Int?) {
        let resolved = AppleIntelligenceOptionsMapper.resolve(Options(maxOutputTokens: requested))
        #expect(resolved.maximumResponseTokens == passed)
    }
}
