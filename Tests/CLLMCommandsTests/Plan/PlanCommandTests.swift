import CarbocationLocalLLM
import CarbocationLocalLLMRuntime
import Foundation
import TestSupport
import Testing

@testable import CLLMCommands

@Suite struct PlanCommandTests {
    private let folder = ModelsFolder()

    @Test("the plan of an installed model, as text and as JSON")
    func installed() async throws {
        let id = try await folder.install()
        let text = try await folder.succeed("plan", id).output
        #expect(
            text == """
                model: small-Q4_0
                selection: \(id)
                context: 8192 tokens (manual)
                training context: 32768 tokens
                calibrated maximum: 4096 tokens
                can: grammar, exact token counts, tools

                """)
        let plan = try await folder.succeed("plan", id, "--json").json()
        #expect(
            plan.objectValue?.keys.sorted() == [
                "calibratedMaximum", "capabilities", "displayName", "mode", "requestedContext", "selection",
                "trainingContext",
            ])
        #expect(plan.value(forKey: "selection") == .string(id))
        #expect(plan.value(forKey: "mode") == "manual")
        #expect(plan.value(forKey: "requestedContext") == 8192)
        #expect(plan.value(forKey: "calibratedMaximum") == 4096)
        let capabilities = try #require(plan.value(forKey: "capabilities"))
        #expect(capabilities.value(forKey: "contextSize") == 32_768)
        #expect(capabilities.value(forKey: "supportsTools") == true)
        #expect(capabilities.value(forKey: "thinkingCapabilities")?.value(forKey: "supportsThinking") == false)
    }

    @Test("without a name the selection counts")
    func selected() async throws {
        try await folder.install()
        let id = try await folder.install("other")
        try await folder.succeed("models", "select", id)
        #expect(try await folder.succeed("plan", "--json").json().value(forKey: "selection") == .string(id))
    }

    @Test("a file outside of the library has a plan without a selection")
    func file() async throws {
        let path = try folder.write(
            GGUFBuilder.small([("tokenizer.chat_template", .string("{{ enable_thinking }}"))]).bytes(), to: "m.gguf")
        let plan = try await folder.succeed("plan", path, "--json").json()
        #expect(plan.value(forKey: "selection") == .null)
        #expect(plan.value(forKey: "calibratedMaximum") == .null)
        #expect(plan.value(forKey: "requestedContext") == .int(Int64(LlamaContextPolicy.defaultAutoCap)))
        #expect(plan.value(forKey: "mode") == "auto")
        #expect(plan.value(forKey: "trainingContext") == 32_768)
        let thinking = plan.value(forKey: "capabilities")?.value(forKey: "thinkingCapabilities")
        #expect(thinking?.value(forKey: "supportsThinking") == true)
    }

    @Test("a model that is not there, or not available, is told")
    func missing() async {
        for reference in ["nothing", "system.apple-intelligence"] {
            let outcome = await folder.run("plan", reference)
            #expect(outcome.code == 1)
            #expect(outcome.output.isEmpty)
            #expect(outcome.session.errors.lines.count == 1)
        }
    }
}
