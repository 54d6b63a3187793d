import CarbocationLocalLLM
import Dispatch
import Testing

@testable import CarbocationLlamaRuntime

/// Reports the end of a job to a test.
final class AwaitedOutput: TokenOutput {
    let outcome = OneShot<JobOutcome>()
    private let onToken: @Sendable (Token) -> LLMStopReason?

    init(onToken: @escaping @Sendable (Token) -> LLMStopReason? = { _ in nil }) {
        self.onToken = onToken
    }

    func consume(_ token: Token) -> LLMStopReason? { onToken(token) }
    func report(_ progress: PromptProgress) {}
    func finish(_ outcome: JobOutcome) { self.outcome.resolve(outcome) }
}

/// A context whose first batch takes until it is aborted.
// `@unchecked` because everything is either thread-safe by itself or used by the inference thread only.
final class StallingContext: DraftingContext, @unchecked Sendable {
    let cellCount = 4096
    let batchSize = 512
    let microBatchSize = 512
    /// Whether the first batch goes on after an abort, as one does that waits for a server.
    let ignoresAborts: Bool
    let isDecoding = OneShot<Void>()
    private let abort = DispatchSemaphore(value: 0)
    private let wanted = Locked(true)
    private var hasStalled = false
    /// Where removals began.
    private(set) var removals: [Int] = []

    /// Whether somebody was said to wait.
    var isWanted: Bool { wanted.withLock { $0 } }

    init(ignoresAborts: Bool = false) {
        self.ignoresAborts = ignoresAborts
    }

    func decode(_ batch: [BatchEntry]) -> DecodeOutcome {
        guard !hasStalled else { return .decoded }
        hasStalled = true
        isDecoding.resolve(())
        abort.wait()
        return .aborted
    }

    /// Makes the first batch end.
    func goOn() {
        abort.signal()
    }

    func requestAbort() {
        if !ignoresAborts { abort.signal() }
    }

    func setWanted(_ isWanted: Bool) {
        wanted.withLock { $0 = isWanted }
    }

    func removeSuffix(of sequence: Int32, from position: Int) -> Bool {
        removals.append(position)
        return true
    }

    func likeliest(row: Int) -> (token: Token, probability: Double)? { (5, 1) }
    func endsGeneration(_ token: Token) -> Bool { false }
    func clearAbort() {}
    func setThreads(_ count: Int) {}
}

@Suite("Inference loop", .timeLimit(.minutes(10)))
struct InferenceLoopTests {
    private func job(_ id: UInt64, limit: Int, output: AwaitedOutput) -> GenerationJob {
        GenerationJob(
            id: id, prompt: [1, 2, 3], outputLimit: limit, limitReason: .maxTokens, sample: { _ in 5 },
            endsGeneration: { $0 == 0 }, output: output)
    }

    @Test("jobs run on the loop's thread and end with their reason")
    func runs() async {
        let loop = InferenceLoop(context: FakeContext(cellCount: 1 << 20), maximumSequences: 2)
        let outputs = (0..<5).map { _ in AwaitedOutput() }
        for (index, output) in outputs.enumerated() { loop.submit(job(UInt64(index), limit: 3, output: output)) }
        for output in outputs {
            let outcome = await output.outcome.value()
            guard case .stopped(.maxTokens) = outcome.end else { return #expect(Bool(false), "\(outcome)") }
            #expect(outcome.generatedTokens == 3)
        }
        loop.stop()
        await loop.ended.value()
    }

    @Test("cancelling a running job ends it before its next token")
    func cancels() async {
        let context = FakeContext(cellCount: 1 << 20)
        let loop = InferenceLoop(context: context, maximumSequences: 1)
        let started = OneShot<Void>()
        let mayGoOn = DispatchSemaphore(value: 0)
        let output = AwaitedOutput { _ in
            started.resolve(())
            mayGoOn.wait()
            return nil
        }
        loop.submit(job(1, limit: .max, output: output))
        await started.value()
        loop.cancel(1)
        mayGoOn.signal()
        guard case .cancelled = await output.outcome.value().end else { return #expect(Bool(false)) }
        loop.stop()
        await loop.ended.value()
        #expect(context.cache[0]?.prefix(3) == [1, 2, 3])
    }

    @Test("a batch that is being computed is aborted, for its own job and for one that waits", arguments: [1, 2])
    func aborts(cancelled: UInt64) async {
        let context = StallingContext()
        let loop = InferenceLoop(context: context, maximumSequences: 1)
        let outputs = [AwaitedOutput(), AwaitedOutput()]
        loop.submit(job(1, limit: 1, output: outputs[0]))
        loop.submit(job(2, limit: 1, output: outputs[1]))
        await context.isDecoding.value()
        loop.cancel(cancelled)
        let outcome = await outputs[Int(cancelled) - 1].outcome.value()
        guard case .cancelled = outcome.end else { return #expect(Bool(false), "\(outcome)") }
        let other = await outputs[2 - Int(cancelled)].outcome.value()
        guard case .stopped(.maxTokens) = other.end else { return #expect(Bool(false), "\(other)") }
        loop.stop()
    }

    @Test("a context is wanted for as long as a job or an errand is neither over nor cancelled")
    func wanted() async {
        let context = StallingContext(ignoresAborts: true)
        let loop = InferenceLoop(context: context, maximumSequences: 1)
        let outputs = (1...3).map { _ in AwaitedOutput() }
        loop.submit(job(1, limit: 1, output: outputs[0]))
        loop.submit(job(2, limit: 1, output: outputs[1]))
        await context.isDecoding.value()
        loop.cancel(1)
        #expect(context.isWanted)
        loop.cancel(2)
        #expect(!context.isWanted)
        loop.submit(job(3, limit: 1, output: outputs[2]))
        #expect(context.isWanted)
        loop.cancel(3)
        #expect(!context.isWanted)
        let errand = Task { await loop.perform { _ in } }
        while !context.isWanted { await Task.yield() }
        errand.cancel()
        while context.isWanted { await Task.yield() }
        context.goOn()
        for output in outputs {
            guard case .cancelled = await output.outcome.value().end else { return #expect(Bool(false)) }
        }
        #expect(await errand.value != nil)
        loop.stop()
    }

    /// Threads that know no load, for cores whose batches take a tenth of a second each.
    private func governed(cores: Int) -> GovernedThreads {
        let readings = Locked(0)
        return GovernedThreads(cores: UsableCores(logical: cores, physical: cores), meter: nil) {
            readings.withLock { count in
                count += 1
                return Double(count) / 10
            }
        }
    }

    @Test("the governor's choice reaches the context before each batch, and can be read")
    func threads() async {
        let context = FakeContext(cellCount: 1 << 20)
        let loop = InferenceLoop(context: context, maximumSequences: 1, threads: governed(cores: 4))
        let output = AwaitedOutput()
        loop.submit(job(1, limit: 5, output: output))
        _ = await output.outcome.value()
        loop.stop()
        await loop.ended.value()
        #expect(context.threadCounts == [1, 2, 4, 4, 4])
        #expect(loop.threadChoice == ThreadChoice(decode: 4, prefill: 4))
    }

    @Test("fewer usable cores bound the governor from the next batch on")
    func cores() async {
        let context = FakeContext(cellCount: 1 << 20)
        let loop = InferenceLoop(context: context, maximumSequences: 1, threads: governed(cores: 8))
        loop.setCores(UsableCores(logical: 3, physical: 3))
        let output = AwaitedOutput()
        loop.submit(job(1, limit: 5, output: output))
        _ = await output.outcome.value()
        loop.stop()
        await loop.ended.value()
        #expect(context.threadCounts == [1, 2, 3, 3, 3])
    }

    @Test("without a governor the context keeps its threads")
    func explicitThreads() async {
        let context = FakeContext(cellCount: 1 << 20)
        let loop = InferenceLoop(context: context, maximumSequences: 1)
        loop.setCores(UsableCores(logical: 3, physical: 3))
        let output = AwaitedOutput()
        loop.submit(job(1, limit: 4, output: output))
        _ = await output.outcome.value()
        loop.stop()
        await loop.ended.value()
        #expect(context.threadCounts.isEmpty)
        #expect(loop.threadChoice == nil)
    }

    @Test("after stopping, running jobs still end, and new ones are refused")
    func stops() async {
        let loop = InferenceLoop(context: FakeContext(cellCount: 1 << 20), maximumSequences: 1)
        let running = AwaitedOutput()
        loop.submit(job(1, limit: 50, output: running))
        loop.stop()
        let late = AwaitedOutput()
        loop.submit(job(2, limit: 50, output: late))
        guard case .stopped = await running.outcome.value().end else { return #expect(Bool(false)) }
        guard case .failed(let error) = await late.outcome.value().end else { return #expect(Bool(false)) }
        #expect(error as? LLMEngineError == .noModelLoaded)
        await loop.ended.value()
    }

    @Test("a stopped loop frees its context")
    func freesContext() async {
        weak var context: FakeContext?
        let ended: OneShot<Void>
        do {
            let owned = FakeContext()
            context = owned
            let loop = InferenceLoop(context: owned, maximumSequences: 1)
            ended = loop.ended
            loop.stop()
        }
        await ended.value()
        #expect(context == nil)
    }
}
