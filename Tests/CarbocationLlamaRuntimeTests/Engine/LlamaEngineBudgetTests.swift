import CarbocationLocalLLM
import Foundation
import Testing

@testable import CarbocationLlamaRuntime

@Suite("Context budget of an engine", .needsRuntime, .timeLimit(.minutes(10)))
struct LlamaEngineBudgetTests {
    private func request(words: Int, options: GenerationOptions = GenerationOptions(temperature: 0))
        -> LLMGenerationRequest
    {
        LLMGenerationRequest(prompt: String(repeating: "red ", count: words), options: options)
    }

    @Test("PF-2: preflight counts exactly, and generation keeps to what it says")
    func agreement() async throws {
        let engine = try await PocketModel.engine(context: 512)
        let request = request(words: 20, options: GenerationOptions(temperature: 0, maxOutputTokens: 3))
        let preflight = try await engine.preflight(request)
        let result = try await engine.stream(request).result()
        #expect(preflight.usesExactTokenCounts)
        #expect(preflight.loadedContextSize == 512)
        #expect(preflight.modelTrainingContextSize == 2048)
        #expect(preflight.promptTokens == result.promptTokens)
        #expect(preflight.effectiveMaxOutputTokens == 3)
        #expect(preflight.templateMode == .embedded)
    }

    @Test("X02: a prompt that fills the context is refused with both numbers, and preflight agrees")
    func tooLong() async throws {
        let engine = try await PocketModel.engine(context: 512)
        let long = request(words: 600)
        let preflight = try await engine.preflight(long)
        #expect(!preflight.canGenerate)
        #expect(preflight.promptTokens >= 512)
        await #expect(
            throws: LLMEngineError.contextBudgetExceeded(
                contextSize: 512, promptTokens: preflight.promptTokens, reserve: 0)
        ) { try await engine.stream(long).result() }
        var names: [String] = []
        do {
            for try await event in engine.stream(long) {
                names.append(String(String(describing: event).prefix { $0 != "(" }))
                if case .generationStats(let promptTokens, let generated, let reason, _, _) = event {
                    #expect(promptTokens == preflight.promptTokens && generated == 0 && reason == .contextFull)
                }
            }
        } catch {}
        #expect(names == ["requestSent", "generationStats"])
    }

    @Test("a prompt that leaves only the reserve is refused too")
    func reserve() async throws {
        let engine = try await PocketModel.engine(context: 512) { $0.promptReserveTokens = 500 }
        let short = request(words: 20)
        let tokens = try await engine.preflight(short).promptTokens
        await #expect(
            throws: LLMEngineError.insufficientGenerationBudget(contextSize: 512, promptTokens: tokens, reserve: 500)
        ) { try await engine.stream(short).result() }
    }

    @Test("X10: a run that reaches the loaded context ends with `context-full`, not with an error")
    func full() async throws {
        let engine = try await PocketModel.engine(context: 512)
        let grammar = #"root ::= "a" root"#
        let endless = request(words: 300, options: GenerationOptions(temperature: 0).with(grammar: grammar))
        let result = try await engine.stream(endless).result()
        #expect(result.stopReason == .contextFull)
        #expect(result.promptTokens + result.generatedTokens == 512)
    }

    @Test(
        "GO-4 and MS-3: bad options and requests are refused before any model work, also without a model",
        arguments: [
            LLMGenerationRequest(prompt: "x", options: GenerationOptions(temperature: .nan)),
            LLMGenerationRequest(messages: []),
            LLMGenerationRequest(messages: [LLMChatMessage(role: .assistant, content: "x")]),
        ])
    func invalid(request: LLMGenerationRequest) async {
        let engine = LlamaEngine()
        await #expect { try await engine.stream(request).result() } throws: { error in
            switch error {
            case LLMEngineError.invalidOptions, LLMEngineError.invalidRequest: true
            default: false
            }
        }
    }
}
