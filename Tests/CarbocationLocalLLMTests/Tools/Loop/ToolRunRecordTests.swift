import TestSupport
import Testing

@testable import CarbocationLocalLLM

@Suite("What the replies of a run add up to", .timeLimit(.minutes(10)))
struct ToolRunRecordTests {
    private struct Fold {
        var texts: [LLMStreamContentPhase: String] = [:]
        var raw = ""

        mutating func take(_ event: LLMGenerationStreamEvent) {
            switch event {
            case .contentDelta(let phase, let text, let bytes):
                texts[phase, default: ""] += text
                #expect(texts[phase]?.utf8.count == bytes)
            case .contentSnapshot(let phase, let text, let bytes, _):
                texts[phase] = text
                #expect(text.utf8.count == bytes)
            case .tokenChunk(let preview, let bytes, _):
                raw += preview
                #expect(raw.utf8.count == bytes)
            case .done(let bytes, _, _): #expect(raw.utf8.count == bytes)
            default: break
            }
        }
    }

    @Test(
        "TL-11, EV-9, EV-10: folding the events of random replies gives thinking and answer of the run",
        arguments: 0..<40)
    func folding(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var record = ToolRunRecord()
        var fold = Fold()
        var answer = ""
        var tokens = 0
        for _ in 0..<Int.random(in: 1...4, using: &generator) {
            var reply = GenerationAccumulator()
            var events: [LLMGenerationStreamEvent] = []
            for _ in 0..<Int.random(in: 0...6, using: &generator) {
                let text = ["a", "é ", "\n", "日本"].randomElement(using: &generator) ?? ""
                let phase: LLMStreamContentPhase = Bool.random(using: &generator) ? .thinking : .final
                reply.countToken(after: 0) { events.append($0) }
                reply.appendRaw(text) { events.append($0) }
                reply.appendContent(text, to: phase) { events.append($0) }
                if Int.random(in: 0...4, using: &generator) == 0 {
                    reply.replaceContent(of: .final, with: "x", reason: .streamCorrection) { events.append($0) }
                }
            }
            answer += reply.text(of: .final)
            tokens += reply.generatedTokens
            let summary = GenerationAccumulator.Summary(
                stopReason: .complete, promptTokens: 10, cachedPromptTokens: 4, duration: 0)
            reply.complete(summary) { events.append($0) }
            for event in events { fold.take(record.take(event)) }
        }
        let result = record.generation(stopReason: .maxToolRounds)
        #expect(result.finalText == answer)
        #expect(result.finalText == fold.texts[.final, default: ""])
        #expect(result.thinkingText == fold.texts[.thinking, default: ""])
        #expect(result.rawGeneratedText == fold.raw)
        #expect(result.generatedTokens == tokens)
        #expect(result.promptTokens % 10 == 0 && result.cachedPromptTokens * 10 == result.promptTokens * 4)
        #expect(result.stopReason == .maxToolRounds)
    }

    @Test("TL-11: statistics of speculation and of a reply that failed are counted, too")
    func statistics() {
        var record = ToolRunRecord()
        #expect(!record.hasStatistics)
        for drafted in [3, 4] {
            let stats = LLMGenerationAccelerationStats(
                status: .active, accelerator: "ngram", draftTokensGenerated: drafted)
            _ = record.take(.accelerationStats(stats))
            _ = record.take(
                .generationStats(
                    promptTokens: 5, generatedTokens: 2, stopReason: .failed, templateMode: .embedded, phase: .final))
        }
        #expect(record.accelerationStats?.draftTokensGenerated == 7)
        #expect(record.promptTokens == 10 && record.generatedTokens == 4)
        #expect(record.hasStatistics)
    }
}
