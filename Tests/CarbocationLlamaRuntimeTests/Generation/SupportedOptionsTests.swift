import CarbocationLocalLLM
import Testing

@testable import CarbocationLlamaRuntime

@Suite("Supported options")
struct SupportedOptionsTests {
    private static func options(_ change: (inout GenerationOptions) -> Void) -> GenerationOptions {
        var options = GenerationOptions()
        change(&options)
        return options
    }

    @Test(
        "what the engine cannot do is refused by name, never ignored",
        arguments: [
            ("stopAtBalancedJSON", options { $0.stopAtBalancedJSON = true }),
            ("thinkingBudgetTokens", options { $0.thinkingBudgetTokens = 0 }),
            ("logprobs", options { $0.logprobs = 1 }),
            ("streamPhaseConfiguration", options { $0.streamPhaseConfiguration.finalMarkers = ["x"] }),
        ])
    func refused(field: String, options: GenerationOptions) {
        #expect { try options.checkSupport() } throws: { error in
            guard case LLMEngineError.invalidOptions(let message) = error else { return false }
            return message.contains(field)
        }
    }

    @Test("everything else passes")
    func accepted() throws {
        let options = Self.options {
            $0.temperature = 0.7
            $0.logprobs = 0
            $0.enableThinking = true
            $0.reasoningEffort = .low
            $0.stopSequences = ["x"]
            $0.grammar = "root ::= \"a\""
        }
        try options.checkSupport()
    }
}
