import CarbocationLocalLLM
import Foundation
import Testing

@Suite("LLMEngineError")
struct LLMEngineErrorTests {
    static let all: [LLMEngineError] = [
        .noModelLoaded, .modelLoadFailed("x"), .contextInitFailed("x"), .tokenizationFailed,
        .insufficientGenerationBudget(contextSize: 4096, promptTokens: 4000, reserve: 96),
        .contextBudgetExceeded(contextSize: 4096, promptTokens: 5000, reserve: 7),
        .decodeFailed("x"), .samplerInitFailed("x"), .grammarParseFailed("x"), .chatTemplateUnavailable("x"),
        .structuredOutputPhaseFailed("x"), .runtimeUnavailable("x"), .invalidOptions("x"), .invalidRequest("x"),
        .unsupportedSchema("x"), .structuredOutputInvalid("x"),
    ]

    @Test("ER-1: the domain, and codes by declaration from 1")
    func domainAndCodes() {
        #expect(LLMEngineError.errorDomain == "CarbocationLocalLLM.LLMEngineError")
        #expect(Self.all.map(\.errorCode) == Array(1...16))
        let bridged = LLMEngineError.tokenizationFailed as NSError
        #expect(bridged.domain == "CarbocationLocalLLM.LLMEngineError")
        #expect(bridged.code == 4)
        #expect(bridged.localizedDescription == "The prompt could not be turned into tokens.")
    }

    @Test("ER-1: every description is a sentence", arguments: all)
    func sentences(error: LLMEngineError) throws {
        let text = try #require(error.errorDescription)
        #expect(text.first?.isUppercase == true)
        #expect(text.hasSuffix("."))
        #expect(!text.hasSuffix(".."))
        #expect(error.localizedDescription == text)
    }

    @Test("ER-1: reasons end the sentence, and an empty one leaves no gap")
    func reasons() {
        #expect(
            LLMEngineError.contextInitFailed("tried batch sizes 512, 256 and 128").errorDescription
                == "The model's context could not be created: tried batch sizes 512, 256 and 128.")
        #expect(LLMEngineError.decodeFailed("Out of memory! ").errorDescription?.hasSuffix("memory!") == true)
        #expect(LLMEngineError.decodeFailed(" ").errorDescription == "The model stopped with a failure.")
    }

    @Test("ER-1: no model points to Settings, budget errors name their numbers")
    func contents() throws {
        #expect(LLMEngineError.noModelLoaded.errorDescription?.contains("Choose a model in Settings") == true)
        let insufficient = try #require(Self.all[4].errorDescription)
        for number in ["4096", "4000", "96"] { #expect(insufficient.contains(number)) }
        let exceeded = try #require(Self.all[5].errorDescription)
        for number in ["4096", "5000", "7"] { #expect(exceeded.contains(number)) }
    }

    @Test("errors are compared by case and contents")
    func equality() {
        #expect(LLMEngineError.decodeFailed("a") == .decodeFailed("a"))
        #expect(LLMEngineError.decodeFailed("a") != .decodeFailed("b"))
        #expect(LLMEngineError.invalidOptions("a") != .invalidRequest("a"))
    }
}
