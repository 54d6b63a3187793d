import CarbocationLocalLLM
import Testing

@testable import CarbocationLlamaRuntime

@Suite("Context settings")
struct ContextSettingsTests {
    @Test(
        "LR-2: batch sizes are halved from the largest allowed one down to 1",
        arguments: [
            (4096, 64, [64, 32, 16, 8, 4, 2, 1]), (32, 512, [32, 16, 8, 4, 2, 1]), (512, 1, [1]), (512, 0, [1]),
            (4096, 48, [48, 24, 12, 6, 3, 1]),
        ])
    func batchSizes(context: Int, limit: Int, sizes: [Int]) {
        #expect(ContextSettings.batchSizes(context: context, limit: limit) == sizes)
    }

    @Test("the micro-batch is at most 512 and at most the batch", arguments: [(2048, 512), (512, 512), (100, 100)])
    func microBatch(batch: Int, micro: Int) {
        let settings = ContextSettings(LlamaEngineConfiguration(), contextSize: 4096, batchSize: batch, threads: 1)
        #expect(settings.microBatchSize == micro)
    }

    @Test("the number of sequences stays within what llama.cpp can hold", arguments: [(0, 1), (4, 4), (1000, 64)])
    func sequences(configured: Int, usable: Int) {
        #expect(LlamaEngineConfiguration(maximumConcurrentSequences: configured).usableSequences == usable)
    }
}

@Suite("Contexts that do not fit into memory")
struct SteppedContextTests {
    private static func stepped(
        largest: Int, limit: Int = 2048, signal: CancellationSignal = CancellationSignal()
    ) throws -> SteppedContext<Int> {
        try SteppedContext(
            configuration: LlamaEngineConfiguration(batchSizeLimit: limit), contextSize: 4096, threads: 1,
            cancellation: signal
        ) { settings in
            guard settings.batchSize <= largest else {
                throw LLMEngineError.contextInitFailed("no memory for \(settings.batchSize)")
            }
            return settings.batchSize
        }
    }

    @Test("LR-2: the first batch size that works is taken, and reported with those that did not")
    func report() throws {
        let context = try Self.stepped(largest: 300)
        #expect(context.context == 256)
        let report = LlamaLoadReport(context.settings, refusals: context.refusals, servers: [])
        #expect(report.batchSize == 256)
        #expect(report.microBatchSize == 256)
        #expect(report.requestedBatchSize == 2048)
        #expect(report.refusals.map(\.batchSize) == [2048, 1024, 512])
        #expect(report.refusals.first?.reason == "no memory for 2048")
    }

    @Test("without a failure there is nothing to report")
    func firstWorks() throws {
        let context = try Self.stepped(largest: .max)
        let report = LlamaLoadReport(context.settings, refusals: context.refusals, servers: [])
        #expect(report.batchSize == 2048 && report.microBatchSize == 512 && report.refusals.isEmpty)
    }

    @Test("LR-2: when nothing works, the error lists every batch size and the last reason")
    func nothingWorks() {
        let reason =
            "A context of 4096 tokens failed with each batch size tried (8, 4, 2, 1): no memory for 1. "
            + "Use a smaller context."
        #expect(throws: LLMEngineError.contextInitFailed(reason)) { try Self.stepped(largest: 0, limit: 8) }
    }

    @Test("what no size works with is refused once, as it was said")
    func unsupported() {
        let tried = Locked(0)
        #expect(throws: LLMEngineError.contextInitFailed("It does not fit. Set kvTypeK to f16.")) {
            try SteppedContext<Int>(
                configuration: LlamaEngineConfiguration(), contextSize: 512, threads: 1,
                cancellation: CancellationSignal()
            ) { _ in
                tried.withLock { $0 += 1 }
                throw UnsupportedContext(reason: "It does not fit. Set kvTypeK to f16.")
            }
        }
        #expect(tried.withLock { $0 } == 1)
    }

    @Test("a cancelled load steps no further")
    func cancelled() {
        let signal = CancellationSignal()
        signal.set()
        #expect(throws: CancellationError.self) { try Self.stepped(largest: 0, signal: signal) }
    }

    @Test("other failures are not tried again with less")
    func otherFailure() {
        let tried = Locked(0)
        #expect(throws: LLMEngineError.modelLoadFailed("gone")) {
            try SteppedContext<Int>(
                configuration: LlamaEngineConfiguration(), contextSize: 512, threads: 1,
                cancellation: CancellationSignal()
            ) { _ in
                tried.withLock { $0 += 1 }
                throw LLMEngineError.modelLoadFailed("gone")
            }
        }
        #expect(tried.withLock { $0 } == 1)
    }
}
