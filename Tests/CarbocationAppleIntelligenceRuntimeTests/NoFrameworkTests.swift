import CarbocationAppleIntelligenceRuntime
import CarbocationLocalLLM
import Testing

@Suite("Without the framework")
struct NoFrameworkTests {
    private let expected = AppleIntelligenceError.unavailable(.sdkUnavailable)

    @Test("AI-1: every call says that this build has no support")
    func everything() async {
        let engine = AppleIntelligenceEngine()
        #expect(AppleIntelligenceAvailability.current() == .unavailable(.sdkUnavailable))
        #expect(await engine.currentContextSize() == 0)
        #expect(await engine.currentModelID() == nil)
        await #expect(throws: expected) { try await engine.preflight(system: "", prompt: "Hi") }
        await #expect(throws: expected) { try await engine.generate(system: "", prompt: "Hi") { _ in } }
        await #expect(throws: expected) {
            try await engine.generateWithTools(LLMToolGenerationRequest(prompt: "Hi"))
        }
        await #expect(throws: expected) { try await AppleIntelligenceSession(system: "Be kind.") }
        #expect(expected.errorDescription == "This build has no support for Apple Intelligence.")
    }
}
