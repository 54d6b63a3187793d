import CarbocationLocalLLM
import Foundation
import Testing

@Suite("LLMGenerationPreflight")
struct LLMGenerationPreflightTests {
    private static func preflight(
        context: Int = 4096, prompt: Int, reserve: Int = 0, requested: Int? = nil
    ) -> LLMGenerationPreflight {
        LLMGenerationPreflight(
            loadedContextSize: context, promptTokens: prompt, reservedOutputTokens: reserve,
            requestedMaxOutputTokens: requested, usesExactTokenCounts: true)
    }

    @Test(
        "PF-1: a context of 4096",
        arguments: [
            (3000, 0, nil, 1096, 1096, true),
            (3000, 0, 64, 1096, 64, true),
            (3000, 0, 2000, 1096, 1096, true),
            (4095, 0, nil, 1, 1, true),
            (4096, 0, nil, 0, 0, false),
            (4097, 0, nil, 0, 0, false),
            (3000, 1024, nil, 72, 72, true),
            (3000, 1024, 64, 72, 64, true),
            (3000, 1024, 256, 72, 72, true),
            (3000, 1024, 0, 72, 72, true),
            (3000, 1024, -1, 72, 72, true),
            (3072, 1024, nil, 0, 0, false),
            (4000, 1024, nil, 0, 0, false),
        ] as [(Int, Int, Int?, Int, Int, Bool)])
    func table(prompt: Int, reserve: Int, requested: Int?, available: Int, effective: Int, can: Bool) {
        let preflight = Self.preflight(prompt: prompt, reserve: reserve, requested: requested)
        #expect(preflight.availableOutputTokens == available)
        #expect(preflight.effectiveMaxOutputTokens == effective)
        #expect(preflight.canGenerate == can)
        #expect(preflight.requestedMaxOutputTokens == requested)
    }

    @Test(
        "PF-1: sums saturate",
        arguments: [
            (Int.max, Int.max, Int.max, 0, false),
            (Int.max, 1, Int.max, 0, false),
            (0, Int.max, 1, 0, false),
            (Int.min, 1, 0, 0, false),
            (Int.min, Int.max, Int.max, 0, false),
            (Int.max, 0, 0, Int.max, true),
        ])
    func saturation(context: Int, prompt: Int, reserve: Int, available: Int, can: Bool) {
        let preflight = Self.preflight(context: context, prompt: prompt, reserve: reserve)
        #expect(preflight.availableOutputTokens == available)
        #expect(preflight.canGenerate == can)
    }

    @Test("PF-2, PF-3: no reserve and an unknown training context unless told")
    func defaults() {
        let preflight = LLMGenerationPreflight(
            loadedContextSize: 4096, promptTokens: 1, usesExactTokenCounts: false)
        #expect(preflight.reservedOutputTokens == 0)
        #expect(preflight.modelTrainingContextSize == 0)
        #expect(preflight.requestedMaxOutputTokens == nil)
        #expect(preflight.templateMode == .unavailable)
    }

    @Test("PF-3: the training context does not change the budget")
    func trainingContext() {
        let preflight = LLMGenerationPreflight(
            loadedContextSize: 4096, modelTrainingContextSize: 512, promptTokens: 3000, usesExactTokenCounts: true)
        #expect(preflight.availableOutputTokens == 1096)
    }

    @Test(
        "ER-2: the error agrees with canGenerate",
        arguments: [
            (4095, 0, nil),
            (4096, 0, LLMEngineError.contextBudgetExceeded(contextSize: 4096, promptTokens: 4096, reserve: 0)),
            (5000, 10, LLMEngineError.contextBudgetExceeded(contextSize: 4096, promptTokens: 5000, reserve: 10)),
            (
                3072, 1024,
                LLMEngineError.insufficientGenerationBudget(contextSize: 4096, promptTokens: 3072, reserve: 1024)
            ),
        ] as [(Int, Int, LLMEngineError?)])
    func requireBudget(prompt: Int, reserve: Int, expected: LLMEngineError?) throws {
        let preflight = Self.preflight(prompt: prompt, reserve: reserve)
        #expect(preflight.canGenerate == (expected == nil))
        if let expected {
            #expect(throws: expected) { try preflight.requireBudget() }
        } else {
            try preflight.requireBudget()
        }
    }

    @Test("round trip, and derived values in JSON are not believed")
    func codable() throws {
        let preflight = LLMGenerationPreflight(
            loadedContextSize: 4096, modelTrainingContextSize: 8192, promptTokens: 3000, reservedOutputTokens: 16,
            requestedMaxOutputTokens: 0, usesExactTokenCounts: true, templateMode: .gemmaFallback)
        let data = try JSONEncoder().encode(preflight)
        #expect(try JSONDecoder().decode(LLMGenerationPreflight.self, from: data) == preflight)
        let json = Data(
            #"{"loadedContextSize":10,"promptTokens":10,"usesExactTokenCounts":false,"canGenerate":true}"#.utf8)
        let decoded = try JSONDecoder().decode(LLMGenerationPreflight.self, from: json)
        #expect(!decoded.canGenerate)
        #expect(decoded.templateMode == .unavailable)
    }

    @Test(
        "PF-5: a token for three bytes, rounded up",
        arguments: [("", 0), ("a", 1), ("abc", 1), ("abcd", 2), ("€", 1), ("€a", 2), ("😀😀😀", 4)])
    func estimate(text: String, expected: Int) {
        #expect(TokenEstimator.estimate(text) == expected)
    }
}
