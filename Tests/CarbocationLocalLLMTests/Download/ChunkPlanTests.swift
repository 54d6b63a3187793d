import Testing

@testable import CarbocationLocalLLM

@Suite("ChunkPlan")
struct ChunkPlanTests {
    @Test("DL: 25 bytes in chunks of 10, of which the first and third are there")
    func gap() {
        var plan = ChunkPlan(totalBytes: 25, chunkSize: 10, done: [0, 2])
        #expect(plan.count == 3)
        #expect(plan.doneBytes == 15)
        #expect(plan.remainingBytes == 10)
        #expect(plan.prefixBytes == 10)
        #expect(!plan.isComplete)
        #expect(plan.takeNext() == 1)
        #expect(plan.range(of: 1) == 10..<20)
        #expect(plan.takeNext() == nil)
        plan.markDone(1)
        #expect(plan.isComplete)
        #expect(plan.prefixBytes == 25)
    }

    @Test(
        "sizes around the chunk size",
        arguments: [(0, 0), (1, 1), (9, 1), (10, 1), (11, 2), (20, 2), (21, 3)] as [(Int64, Int64)])
    func counts(total: Int64, count: Int64) {
        var plan = ChunkPlan(totalBytes: total, chunkSize: 10)
        #expect(plan.count == count)
        var covered: Int64 = 0
        while let index = plan.takeNext() {
            #expect(plan.range(of: index).lowerBound == covered)
            covered = plan.range(of: index).upperBound
            plan.markDone(index)
        }
        #expect(covered == total)
        #expect(plan.isComplete)
        #expect(plan.doneBytes == total)
    }

    @Test("numbers outside the file, and repeated ones, do not count")
    func hostileList() {
        let plan = ChunkPlan(totalBytes: 25, chunkSize: 10, done: [-1, 3, .max, .min, 1, 1])
        #expect(plan.done == [1])
        #expect(plan.doneBytes == 10)
        #expect(plan.prefixBytes == 0)
    }

    @Test("any size that a server may claim is planned without memory", arguments: [Int64.max, Int64.max - 1, 1 << 60])
    func hugeTotals(total: Int64) {
        for chunkSize in [1, 1 << 20, Int64.max] as [Int64] {
            var plan = ChunkPlan(totalBytes: total, chunkSize: chunkSize)
            #expect(plan.takeNext() == 0)
            let last = plan.count - 1
            #expect(plan.range(of: last).upperBound == total)
            plan.markDone(last)
            #expect(plan.doneBytes == plan.range(of: last).upperBound - plan.range(of: last).lowerBound)
        }
    }

    @Test(
        "sizes that make no sense are moved into range", arguments: [(-5, 10), (10, 0), (10, -1)] as [(Int64, Int64)])
    func impossible(total: Int64, chunkSize: Int64) {
        let plan = ChunkPlan(totalBytes: total, chunkSize: chunkSize)
        #expect(plan.totalBytes >= 0)
        #expect(plan.chunkSize >= 1)
    }

    @Test("chunks are taken once each, and those that arrive early are passed over")
    func taking() {
        var plan = ChunkPlan(totalBytes: 50, chunkSize: 10)
        #expect(plan.takeNext() == 0)
        plan.markDone(1)
        #expect(plan.takeNext() == 2)
        plan.markDone(0)
        #expect(plan.prefixBytes == 20)
        #expect(plan.takeNext() == 3)
        #expect(plan.takeNext() == 4)
        #expect(plan.takeNext() == nil)
    }
}
