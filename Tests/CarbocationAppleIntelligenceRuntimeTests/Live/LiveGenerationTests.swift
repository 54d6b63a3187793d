import CarbocationAppleIntelligenceRuntime
import CarbocationLocalLLM
import Foundation
import Testing

/// Asks the model of this device, where there is one.
@Suite(.timeLimit(.minutes(10)))
struct CarbocationAppleIntelligenceRuntimeTests {
    private static let isAsked =
        ProcessInfo.processInfo.environment["CARBOCATION_RUN_APPLE_INTELLIGENCE_LIVE_TEST"] == "1"

    @Test(
        "SC-15: the model of this device answers",
        .enabled("set CARBOCATION_RUN_APPLE_INTELLIGENCE_LIVE_TEST to 1") { isAsked })
    func testLiveGenerationWhenExplicitlyEnabled() async throws {
        guard case .available(let contextSize) = AppleIntelligenceAvailability.current() else {
            Issue.record("Apple Intelligence is not available: \(AppleIntelligenceAvailability.current())")
            return
        }
        #expect(contextSize > 0)
        let engine = AppleIntelligenceEngine()
        let result = try await engine.generatePhased(
            system: "Answer with one word.", prompt: "What is the capital of France?",
            options: GenerationOptions(temperature: 0, maxOutputTokens: 20))
        #expect(result.finalText.contains("Paris"))
        #expect(result.stopReason == .complete)
    }
}
