import CarbocationLocalLLM
import Foundation
import Testing

@testable import CarbocationLlamaRuntime

@Suite("Prompts that the cache knows", .needsRuntime, .timeLimit(.minutes(10)))
struct LlamaEnginePrefixTests {
    private func request(_ messages: [LLMChatMessage], thinks: Bool = false) -> LLMGenerationRequest {
        LLMGenerationRequest(
            messages: messages,
            options: GenerationOptions(temperature: 0, maxOutputTokens: 80, enableThinking: thinks))
    }

    /// The history that makes a template write the same text again.
    private func reply(_ result: LLMGenerationResult, keepsThinking: Bool) -> LLMChatMessage {
        let thinking = result.thinkingText.trimmingCharacters(in: .whitespacesAndNewlines)
        return LLMChatMessage(
            role: .assistant, content: result.finalText,
            reasoningContent: keepsThinking && !thinking.isEmpty ? thinking : nil)
    }

    @Test("PC-1, X08: turn 2 goes on behind turn 1, or where its thinking was", arguments: [true, false])
    func turns(keepsThinking: Bool) async throws {
        let engine = try await PocketModel.engine()
        var messages = [LLMChatMessage(role: .user, content: "What is 17 plus 5?")]
        let first = try await engine.stream(request(messages, thinks: true)).result()
        #expect(first.cachedPromptTokens == 0)
        #expect(await engine.lastPromptReuseReason() == "nothing was computed before")
        #expect(!first.thinkingText.isEmpty)
        messages.append(reply(first, keepsThinking: keepsThinking))
        messages.append(LLMChatMessage(role: .user, content: "Count from 2 to 7."))
        let second = try await engine.stream(request(messages, thinks: true)).result()
        if keepsThinking {
            #expect(second.cachedPromptTokens >= first.promptTokens + first.generatedTokens - 1)
        } else {
            #expect(second.cachedPromptTokens == first.promptTokens)
            let reason = "the prompt differs from an earlier one after \(first.promptTokens) tokens"
            #expect(await engine.lastPromptReuseReason() == reason)
        }
        #expect(second.cachedPromptTokens < second.promptTokens)
        let cold = try await PocketModel.engine().stream(request(messages, thinks: true)).result()
        #expect(second.rawGeneratedText == cold.rawGeneratedText)
        #expect(cold.cachedPromptTokens == 0)
    }

    @Test("PC-1: the same prompt again computes one token, and its text is the same")
    func again() async throws {
        let engine = try await PocketModel.engine()
        for dialogue in PocketModel.dialogues.prefix(8) {
            let first = try await engine.stream(dialogue.request).result()
            let second = try await engine.stream(dialogue.request).result()
            #expect(second.cachedPromptTokens == second.promptTokens - 1)
            #expect(first.rawGeneratedText == dialogue.expected)
            #expect(second.rawGeneratedText == dialogue.expected)
        }
    }

    @Test("a cancelled generation leaves its prompt and what it wrote")
    func cancelled() async throws {
        let engine = try await PocketModel.engine()
        let dialogue = try #require(PocketModel.dialogues.max { $0.expected.count < $1.expected.count })
        for try await event in engine.stream(dialogue.request) {
            if case .tokenChunk = event { break }
        }
        let result = try await engine.stream(dialogue.request).result()
        #expect(result.cachedPromptTokens == result.promptTokens - 1)
        #expect(result.rawGeneratedText == dialogue.expected)
    }

    @Test("a prompt that shares nothing but its beginning gives the text of a new engine", arguments: [1, 3])
    func edits(sequences: Int) async throws {
        let engine = try await PocketModel.engine { $0.maximumConcurrentSequences = sequences }
        for dialogue in PocketModel.dialogues.prefix(10) + PocketModel.dialogues.prefix(10).reversed() {
            let result = try await engine.stream(dialogue.request).result()
            #expect(result.rawGeneratedText == dialogue.expected, "\(dialogue.id)")
        }
    }

    @Test("two requests at once with the same system text compute it once")
    func shared() async throws {
        let engine = try await PocketModel.engine { $0.maximumConcurrentSequences = 2 }
        let system = String(repeating: "You are a small and patient assistant. ", count: 8)
        let requests = ["Count from 3 to 9.", "Count from 2 to 7."].map { prompt in
            request([LLMChatMessage(role: .system, content: system), LLMChatMessage(role: .user, content: prompt)])
        }
        var alone: [String?] = []
        for request in requests {
            let engine = try await PocketModel.engine()
            alone.append(try await engine.stream(request).result().rawGeneratedText)
        }
        async let first = engine.stream(requests[0]).result()
        async let second = engine.stream(requests[1]).result()
        let results = try await [first, second]
        #expect(results.map(\.cachedPromptTokens).max() ?? 0 > 60)
        #expect(results.map(\.rawGeneratedText) == alone)
    }
}
