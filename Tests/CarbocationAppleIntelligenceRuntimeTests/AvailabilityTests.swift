import AppleIntelligenceWithStubs
import CarbocationLocalLLM
import FoundationModels
import Testing

@Suite("Availability of the system's model")
struct AvailabilityTests {
    static let reasons: [(SystemLanguageModel.Availability.UnavailableReason, AppleIntelligenceUnavailableReason)] = [
        (.deviceNotEligible, .deviceNotEligible), (.appleIntelligenceNotEnabled, .appleIntelligenceNotEnabled),
        (.modelNotReady, .modelNotReady), (.later, .unknown),
    ]

    @Test("AI-1: every reason, and every call throws it", arguments: reasons)
    func unavailable(
        of framework: SystemLanguageModel.Availability.UnavailableReason, is reason: AppleIntelligenceUnavailableReason
    ) async {
        let script = StubScript([], availability: .unavailable(framework))
        let expected = AppleIntelligenceError.unavailable(reason)
        await script.run {
            #expect(AppleIntelligenceAvailability.current() == .unavailable(reason))
            let engine = AppleIntelligenceEngine()
            #expect(await engine.currentContextSize() == 0)
            #expect(await engine.log("Hi").error as? AppleIntelligenceError == expected)
            await #expect(throws: expected) { try await engine.preflight(system: "", prompt: "Hi") }
            await #expect(throws: expected) {
                try await engine.generateWithTools(LLMToolGenerationRequest(prompt: "Hi"))
            }
            await #expect(throws: expected) { try await AppleIntelligenceSession(system: "") }
        }
    }

    @Test("AI-2: the context is the framework's", arguments: [(8192, 8192), (0, 4096)])
    func context(told: Int, size: Int) async {
        await StubScript([], contextSize: told).run {
            #expect(AppleIntelligenceAvailability.current() == .available(contextSize: size))
            let engine = AppleIntelligenceEngine()
            #expect(await engine.currentContextSize() == size)
            #expect(await engine.currentModelID() == nil)
        }
    }
}
