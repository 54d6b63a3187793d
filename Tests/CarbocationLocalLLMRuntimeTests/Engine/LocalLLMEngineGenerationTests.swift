import CarbocationLocalLLM
import CarbocationLocalLLMRuntime
import Foundation
import TestSupport
import Testing

@Suite("Generating through the facade", .needsRuntime, .timeLimit(.minutes(10)))
struct LocalLLMEngineGenerationTests {
    private struct Odd: Error, LocalizedError {
        var errorDescription: String? { "Something odd." }
    }

    private static func system(
        _ script: [[ScriptedLLMEngine.Step]], clock: any Clock<Duration> = ContinuousClock()
    ) async throws -> LocalLLMEngine {
        let engine = LocalLLMEngine(systemModels: ScriptedSystem(script, clock: clock).models)
        let library = await ModelLibrary(root: FileManager.default.temporaryDirectory.appendingPathComponent("none"))
        try await engine.load(selection: .system(.appleIntelligence), from: library, requestedContext: 0)
        return engine
    }

    @Test("EV-1: all forms give the same text")
    func forms() async throws {
        let pocket = try await PocketLibrary()
        let engine = try await pocket.engine()
        let prompt = "Count from 2 to 7."
        let messages = [LLMChatMessage(role: .user, content: prompt)]
        let options = GenerationOptions.greedy(thinks: true)
        let phased = try await engine.generatePhased(system: "", prompt: prompt, options: options)
        #expect(!phased.finalText.isEmpty && !phased.thinkingText.isEmpty)
        let text = try await engine.generate(system: "", prompt: prompt, options: options) { _ in }
        let aware = try await engine.generate(
            messages: messages, options: options, onPhaseAwareEvent: { _ in })
        let streamed = try await engine.stream(LLMGenerationRequest(messages: messages, options: options)).result()
        let withTools = try await engine.generateWithTools(LLMToolGenerationRequest(prompt: prompt, options: options))
        for other in [text, aware, streamed.finalText, withTools.finalText] { #expect(other == phased.finalText) }
    }

    @Test("PF-2: preflight and generation agree")
    func preflight() async throws {
        let pocket = try await PocketLibrary()
        let engine = try await pocket.engine(context: 512)
        let budget = try await engine.preflight(system: "", prompt: "Hello", options: .greedy(40))
        #expect(budget.loadedContextSize == 512 && budget.effectiveMaxOutputTokens == 40 && budget.canGenerate)
        #expect(budget.usesExactTokenCounts)
        let result = try await engine.generatePhased(system: "", prompt: "Hello", options: .greedy(40))
        #expect(result.promptTokens == budget.promptTokens)
    }

    @Test(
        "CP-8: failures of a system model are translated, those of the package are not",
        arguments: [
            (CancellationError() as any Error, nil as LocalLLMEngineError?),
            (LLMEngineError.decodeFailed("x"), nil), (LocalLLMEngineError.noSelectionLoaded, nil),
            (LLMEngineError.noModelLoaded, .noSelectionLoaded),
            (Odd(), .systemModelGenerationFailed("Something odd.")),
        ])
    func failures(thrown: any Error, expected: LocalLLMEngineError?) async throws {
        let engine = try await Self.system([[.text("So"), .fail(thrown)]])
        let error = await #expect(throws: (any Error).self) {
            try await engine.generate(system: "", prompt: "Hello") { _ in }
        }
        if let expected {
            #expect(error as? LocalLLMEngineError == expected)
        } else {
            #expect(String(reflecting: error) == String(reflecting: thrown as (any Error)?))
        }
    }

    @Test("GO-4, MS-3: what no model can be asked for is refused first")
    func refusals() async throws {
        let engine = LocalLLMEngine()
        await #expect(throws: LLMEngineError.self) {
            try await engine.generate(system: "", prompt: "Hello", options: GenerationOptions(topP: -1)) { _ in }
        }
        await #expect(throws: LLMEngineError.self) { try await engine.generatePhased(messages: []) }
        await #expect(throws: LLMToolError.self) {
            try await engine.generateWithTools(LLMToolGenerationRequest(prompt: "Hello", maxToolRounds: -1))
        }
    }

    @Test("TL: runs with tools tell the same through the facade", arguments: ToolContract.all)
    func tools(contract: ToolContract) async throws {
        let engine = try await Self.system(contract.script)
        let log = await ToolRunLog.of(contract.request, on: engine)
        #expect(log == contract.log)
    }

    @Test("EV-3: a dropped stream is cancelled, and the model can be replaced")
    func dropped() async throws {
        let pocket = try await PocketLibrary()
        let engine = try await pocket.engine()
        for _ in 0..<3 {
            for try await event in engine.stream(.endless) {
                if case .contentDelta = event { break }
            }
        }
        await engine.unload()
        try await engine.load(selection: pocket.selection, from: pocket.library, requestedContext: 512)
        #expect(await engine.currentContextSize() == 512)
    }

    @Test("RS-5: thinking is ended from outside")
    func control() async throws {
        let clock = ManualClock()
        let script: [ScriptedLLMEngine.Step] = [
            .thinking("One."), .delay(.seconds(1)), .thinking(" Two."), .text("Done."),
        ]
        let engine = try await Self.system([script], clock: clock)
        let control = LLMGenerationControl()
        let result = try await engine.generatePhased(
            system: "", prompt: "Hello", options: .greedy(thinks: true), control: control
        ) { event in
            guard case .contentDelta(.thinking, "One.", _) = event else { return }
            #expect(control.requestThinkingTermination(message: " Enough."))
            #expect(control.thinkingTerminationRequestCount == 1)
            Task {
                await clock.sleeping()
                clock.advance(by: .seconds(1))
            }
        }
        #expect(result.thinkingText == "One. Enough." && result.finalText == "Done.")
        #expect(control.thinkingTerminationRequestCount == 0)
    }
}
