import CarbocationLocalLLM
import Foundation
import Testing

@Suite("LLMGenerationResult")
struct LLMGenerationResultTests {
    @Test("RS-1: the assistant message has the answer, and the thinking if there was any")
    func assistantMessage() {
        #expect(
            LLMGenerationResult(thinkingText: "plan", finalText: "4").assistantMessage
                == LLMChatMessage(role: .assistant, content: "4", reasoningContent: "plan"))
        #expect(
            LLMGenerationResult(finalText: "4").assistantMessage == LLMChatMessage(role: .assistant, content: "4"))
    }

    @Test("round trip with all fields")
    func roundTrip() throws {
        let candidate = LLMTokenLogprobs.Candidate(token: 3, text: "\u{FFFD}", bytes: [0xC3], logprob: -0.25)
        let result = LLMGenerationResult(
            thinkingText: "plan", finalText: "4",
            phaseSegments: [
                LLMGenerationPhaseSegment(phase: .thinking, text: "plan"),
                LLMGenerationPhaseSegment(phase: .final, text: "4"),
            ],
            stopReason: .contextFull, promptTokens: 10, cachedPromptTokens: 4, generatedTokens: 3,
            templateMode: .chatMLFallback, seed: 7,
            logprobs: [LLMTokenLogprobs(chosen: candidate, top: [candidate])],
            accelerationStats: LLMGenerationAccelerationStats(status: .unsupported, accelerator: "none"),
            rawGeneratedText: "<think>plan</think>4")
        let data = try JSONEncoder().encode(result)
        #expect(try JSONDecoder().decode(LLMGenerationResult.self, from: data) == result)
        #expect(try LLMJSONValue(jsonData: data).string(forKey: "stopReason") == "context-full")
    }

    @Test("missing fields take their defaults")
    func decoding() throws {
        let json = Data(#"{"finalText":"4","newField":1}"#.utf8)
        #expect(try JSONDecoder().decode(LLMGenerationResult.self, from: json) == LLMGenerationResult(finalText: "4"))
    }

    @Test(
        "EV-14: the stop reasons",
        arguments: [
            (LLMStopReason.complete, "complete"), (.maxTokens, "max-tokens"), (.contextFull, "context-full"),
            (.stopSequence, "stop-sequence"), (.jsonComplete, "json-complete"),
            (.toolCallComplete, "tool-call-complete"), (.cancelled, "cancelled"), (.maxToolRounds, "max-tool-rounds"),
        ])
    func stopReasons(reason: LLMStopReason, text: String) throws {
        #expect(reason.rawValue == text)
        #expect(reason == LLMStopReason(rawValue: text))
        #expect(try String(decoding: JSONEncoder().encode([reason]), as: UTF8.self) == "[\"\(text)\"]")
        #expect(try JSONDecoder().decode([LLMStopReason].self, from: Data("[\"\(text)\"]".utf8)) == [reason])
    }

    @Test("EV-14: unknown stop reasons are kept")
    func unknownStopReason() throws {
        let reasons = try JSONDecoder().decode([LLMStopReason].self, from: Data(#"["provider-limit"]"#.utf8))
        #expect(reasons == ["provider-limit"])
    }

    @Test(
        "EV-13: the template modes in words",
        arguments: [
            (LLMChatTemplateMode.embedded, "embedded", "embedded"),
            (.gemmaFallback, "gemma-fallback", "Gemma fallback"),
            (.chatMLFallback, "chatml-fallback", "ChatML fallback"),
            (.unavailable, "unavailable", "unavailable"),
        ])
    func templateModes(mode: LLMChatTemplateMode, rawValue: String, label: String) {
        #expect(mode.rawValue == rawValue)
        #expect(mode.displayLabel == label)
    }
}
