import CarbocationLocalLLM
import Testing

@testable import CarbocationLlamaRuntime

@Suite("Drafts that are given up", .timeLimit(.minutes(10)))
struct DraftAbortTests {
    private func job(_ id: UInt64, output: AwaitedOutput) -> GenerationJob {
        GenerationJob(
            id: id, prompt: [1, 2, 3], outputLimit: 20, limitReason: .maxTokens, sample: { _ in 5 },
            endsGeneration: { _ in false }, output: output, isSpeculative: true)
    }

    @Test("cancelling a job ends its draft too, and the next job drafts again")
    func cancelled() async {
        let draftContext = StallingContext()
        let draftModel = DraftModel(context: draftContext)
        let loop = InferenceLoop(
            context: FakeContext(), maximumSequences: 1,
            speculation: Speculation(
                draftLimit: 4, pacing: .always, draftContext: draftContext, now: { 0 },
                makeDrafter: { DraftModelDrafter(model: draftModel) }))
        let outputs = [AwaitedOutput(), AwaitedOutput()]
        loop.submit(job(1, output: outputs[0]))
        await draftContext.isDecoding.value()
        #expect(draftContext.isWanted)
        loop.cancel(1)
        guard case .cancelled = await outputs[0].outcome.value().end else { return #expect(Bool(false)) }
        #expect(!draftContext.isWanted)
        loop.submit(job(2, output: outputs[1]))
        let drafts = await outputs[1].outcome.value().drafts
        #expect(drafts.calls > 0 && drafts.accepted == drafts.drafted)
        loop.stop()
        await loop.ended.value()
        // What the batch may have stored was taken back first.
        #expect(draftContext.removals.first == 0)
    }
}
