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
