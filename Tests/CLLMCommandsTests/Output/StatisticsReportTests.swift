import CarbocationLlamaRuntime
import CarbocationLocalLLM
import Testing

@testable import CLLMCommands

@Suite struct StatisticsReportTests {
    private static func meter(cached: Int, drafted: Int = 0) -> GenerationMeter {
        var meter = GenerationMeter(start: .zero)
        meter.record(.firstByteReceived(after: 0, phase: .final), at: .milliseconds(500))
        meter.record(.tokenChunk(preview: "x", bytesSoFar: 1, phase: .final), at: .seconds(2.5))
        let stats = LLMGenerationAccelerationStats(
            status: .active, accelerator: "draft", draftTokensGenerated: drafted, draftTokensAccepted: drafted / 2)
        meter.record(.accelerationStats(stats), at: .seconds(3))
        let event = LLMGenerationStreamEvent.generationStats(
            promptTokens: 40, generatedTokens: 21, stopReason: "complete", templateMode: .embedded, phase: .final)
        meter.record(event, at: .seconds(3))
        meter.record(.completed(LLMGenerationResult(cachedPromptTokens: cached)), at: .seconds(3))
        return meter
    }

    @Test("all figures, one on each line")
    func everything() {
        let text = StatisticsReport(loadTime: .milliseconds(1234.4), meter: Self.meter(cached: 0)).text
        #expect(
            text == """
                load: 1234 ms
                prompt tokens: 40
                cached prompt tokens: 0
                generated tokens: 21
                time to first token: 0.500 s
                prefill: 80.0 tokens/s
                decode: 10.0 tokens/s
                stop reason: complete

                """)
    }

    @Test("reuse and drafts are told when there were any")
    func reuse() {
        let report = StatisticsReport(
            loadTime: .zero, meter: Self.meter(cached: 10, drafted: 8), promptReuse: "the prompt differs")
        let text = report.text
        #expect(text.contains("cached prompt tokens: 10 (the prompt differs)\n"))
        #expect(text.contains("drafted/accepted: 8/4\n"))
        #expect(text.contains("prefill: 60.0 tokens/s\n"))
    }

    @Test("what was not measured is left out")
    func nothing() {
        let text = StatisticsReport(loadTime: .milliseconds(5), meter: GenerationMeter(start: .zero)).text
        #expect(text == "load: 5 ms\n")
    }

    @Test("the threads that the engine chose are told, for both kinds of work")
    func threads() {
        let report = StatisticsReport(
            loadTime: .zero, meter: Self.meter(cached: 0), threads: ThreadChoice(decode: 1, prefill: 2))
        #expect(report.text.contains("threads: 1 decode, 2 prefill (chosen by the engine)\n"))
    }

    @Test("the batch size is told, with what it was reduced from and why, and so are servers")
    func load() {
        func text(_ load: LlamaLoadReport) -> String {
            StatisticsReport(loadTime: .zero, load: load, meter: Self.meter(cached: 0)).text
        }
        let full = text(LlamaLoadReport(batchSize: 2048, microBatchSize: 512))
        #expect(full.contains("batch: 2048 tokens\n") && !full.contains("servers"))
        let refusals = [
            LlamaLoadReport.Refusal(batchSize: 2048, reason: "no memory"),
            LlamaLoadReport.Refusal(batchSize: 1024, reason: "still none"),
        ]
        let reduced = text(
            LlamaLoadReport(batchSize: 512, microBatchSize: 512, refusals: refusals, servers: ["a:1", "b:2"]))
        #expect(reduced.contains("batch: 512 tokens (reduced from 2048: no memory)\nservers: a:1, b:2\n"))
    }
}
