import CarbocationLocalLLM
import Dispatch
import Testing

@testable import CarbocationLlamaRuntime

/// A draft model's context whose first batch takes until it is aborted, like one that waits for a server.
// `@unchecked` because everything is either thread-safe by itself or used by the inference thread only.
private final class StallingDraftContext: DraftingContext, @unchecked Sendable {
    let cellCount = 4096
    let batchSize = 512
    let microBatchSize = 512
    let isDecoding = OneShot<Void>()
    private let abort = DispatchSemaphore(value: 0)
    private let wanted = Locked(true)
    private var hasStalled = false
    /// Where removals began.
    private(set) var removals: [Int] = []

    var isWanted: Bool { wanted.withLock { $0 } }

    func decode(_ batch: [BatchEntry]) -> DecodeOutcome {
        guard !hasStalled else { return .decoded }
        hasStalled = true
        isDecoding.resolve(())
        abort.wait()
        return .aborted
    }

    func removeSuffix(of sequence: Int32, from position: Int) -> Bool {
        removals.append(position)
        return true
    }

    func likeliest(row: Int) -> (token: Token, probability: Double)? { (5, 1) }
    func endsGeneration(_ token: Token) -> Bool { false }
    func requestAbort() { abort.signal() }
    func clearAbort() {}
    func setWanted(_ isWanted: Bool) { wanted.withLock { $0 = isWanted } }
    func setThreads(_ count: Int) {}
}

@Suite("Drafts that are given up", .timeLimit(.minutes(1)))
struct DraftAbortTests {
    private func job(_ id: UInt64, output: AwaitedOutput) -> GenerationJob {
        GenerationJob(
            id: id, prompt: [1, 2, 3], outputLimit: 20, limitReason: .maxTokens, sample: { _ in 5 },
            endsGeneration: { _ in false }, output: output, isSpeculative: true)
    }

    @Test("cancelling a job ends its draft too, and the next job drafts again")
    func cancelled() async {
        let draftContext = StallingDraftContext()
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
