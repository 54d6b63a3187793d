import CarbocationLocalLLM
import Testing

@testable import CLLMCommands

@Suite struct GenerationMeterTests {
    private static func meter(
        _ events: [(LLMGenerationStreamEvent, Double)], start: Double = 10
    ) -> GenerationMeter {
        var meter = GenerationMeter(start: .seconds(start))
        for (event, time) in events { meter.record(event, at: .seconds(time)) }
        return meter
    }

    private static func stats(_ prompt: Int, _ generated: Int) -> LLMGenerationStreamEvent {
        .generationStats(
            promptTokens: prompt, generatedTokens: generated, stopReason: "max-tokens", templateMode: .embedded,
            phase: .final)
    }

    private static let chunk = LLMGenerationStreamEvent.tokenChunk(preview: "x", bytesSoFar: 1, phase: .final)

    @Test("rates count from the request to the first token, and from there to the last")
    func rates() {
        let meter = Self.meter([
            (.requestSent(phase: .unknown), 10.1), (.firstByteReceived(after: 2, phase: .final), 12),
            (Self.chunk, 12), (.contentDelta(phase: .final, text: "x", bytesSoFar: 1), 14), (Self.chunk, 15),
            (Self.stats(104, 31), 99),
            (.completed(LLMGenerationResult(promptTokens: 104, cachedPromptTokens: 4, generatedTokens: 31)), 100),
        ])
        #expect(meter.timeToFirstToken == .seconds(2))
        #expect(meter.prefillRate == 50)
        #expect(meter.decodeRate == 10)
        #expect(meter.promptTokens == 104)
        #expect(meter.cachedPromptTokens == 4)
        #expect(meter.generatedTokens == 31)
        #expect(meter.stopReason == "max-tokens")
    }

    @Test("a single token has no decode rate")
    func oneToken() {
        let meter = Self.meter([
            (.firstByteReceived(after: 2, phase: .final), 12), (Self.chunk, 12.5), (Self.stats(10, 1), 13),
        ])
        #expect(meter.decodeRate == nil)
        #expect(meter.prefillRate == 5)
        #expect(meter.cachedPromptTokens == nil)
    }

    @Test("tokens without time between them have no rate")
    func noTime() {
        let meter = Self.meter([(.firstByteReceived(after: 0, phase: .final), 10), (Self.stats(10, 5), 10)])
        #expect(meter.prefillRate == nil)
        #expect(meter.decodeRate == nil)
    }

    @Test("the figures of several replies are summed, the time of tools does not count")
    func replies() {
        var meter = GenerationMeter(start: .zero)
        func reply(at start: Double, cached: Int) -> [(LLMGenerationStreamEvent, Double)] {
            [
                (.requestSent(phase: .unknown), start), (.firstByteReceived(after: 1, phase: .final), start + 1),
                (Self.chunk, start + 2), (.accelerationStats(Self.drafts), start + 2),
                (Self.stats(30, 11), start + 2),
                (.completed(LLMGenerationResult(cachedPromptTokens: cached)), start + 2),
            ]
        }
        for (event, time) in reply(at: 0, cached: 0) + reply(at: 10, cached: 20) {
            meter.record(.generationEvent(event), at: .seconds(time))
        }
        meter.record(.toolRoundStarted(round: 1), at: .seconds(20))
        meter.record(
            .aggregateGenerationStats(promptTokens: 60, generatedTokens: 22, stopReason: "max-tool-rounds"),
            at: .seconds(20))
        #expect(meter.promptTokens == 60)
        #expect(meter.cachedPromptTokens == 20)
        #expect(meter.generatedTokens == 22)
        #expect(meter.timeToFirstToken == .seconds(1))
        #expect(meter.prefillRate == 20)
        #expect(meter.decodeRate == 10)
        #expect(meter.acceleration?.draftTokensGenerated == 8)
        #expect(meter.stopReason == "max-tool-rounds")
    }

    private static let drafts = LLMGenerationAccelerationStats(
        status: .active, accelerator: "draft", draftTokensGenerated: 4)

    @Test("a generation that ended before its first token has no figures")
    func nothing() {
        let meter = Self.meter([(.requestSent(phase: .unknown), 11), (Self.stats(10, 0), 12)])
        #expect(meter.timeToFirstToken == nil)
        #expect(meter.prefillRate == nil)
        #expect(meter.decodeRate == nil)
        #expect(meter.promptTokens == 10)
    }
}
