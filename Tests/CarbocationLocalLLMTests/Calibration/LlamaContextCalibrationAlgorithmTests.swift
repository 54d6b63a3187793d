import CarbocationLocalLLM
import TestSupport
import Testing

@Suite("LlamaContextCalibrationAlgorithm")
struct LlamaContextCalibrationAlgorithmTests {
    typealias Algorithm = LlamaContextCalibrationAlgorithm

    private struct ProbeFailure: Error {}

    @Test("CA-6: the version")
    func version() {
        #expect(Algorithm.version == 8)
    }

    @Test(
        "CA-1: tiers",
        arguments: [
            (65_536, [512, 1_024, 2_048, 4_096, 8_192, 16_384, 32_768, 65_536]),
            (40_960, [512, 1_024, 2_048, 4_096, 8_192, 16_384, 32_768, 40_960]),
            (1_000, [512, 1_000]), (1_024, [512, 1_024]), (1_025, [512, 1_024, 1_025]),
            (300, [512]), (512, [512]), (513, [512, 513]), (1, [512]),
        ])
    func tiers(training: Int, expected: [Int]) {
        #expect(Algorithm.tiers(upTo: training) == expected)
    }

    @Test("CA-1: an unknown training context counts as the fallback", arguments: [0, -1, .min])
    func unknownTraining(training: Int) {
        #expect(Algorithm.tiers(upTo: training) == Algorithm.tiers(upTo: LlamaContextPolicy.unknownTrainingFallback))
    }

    @Test(
        "CA-1: tiers of any training context ascend to it by no more than doubling", arguments: 0..<4 as Range<UInt64>)
    func anyTraining(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for bits in 1...63 {
            let training = bits == 63 ? .max : Int.random(in: 1...(1 << bits), using: &random)
            let tiers = Algorithm.tiers(upTo: training)
            #expect(tiers.first == 512)
            #expect(tiers.last == max(512, training))
            #expect(zip(tiers, tiers.dropFirst()).allSatisfy { $0 < $1 && $1 / 2 <= $0 }, "\(training)")
            #expect(tiers.dropLast().allSatisfy { $0.nonzeroBitCount == 1 }, "\(training)")
        }
    }

    @Test(
        "CA-2: the most probes",
        arguments: [
            (-1, 1), (0, 1), (1, 1), (2, 2), (3, 3), (4, 3), (5, 4), (8, 4), (9, 5), (16, 5), (17, 6), (.max, 64),
        ])
    func maximumProbeCount(tiers: Int, expected: Int) {
        #expect(Algorithm.maximumProbeCount(tierCount: tiers) == expected)
    }

    @Test("CA-2: a search to 65,536 where 16,384 is the most")
    func search() async throws {
        let tiers = Algorithm.tiers(upTo: 65_536)
        let found = try await Algorithm.search(tiers: tiers) { $0 <= 16_384 }
        #expect(found.maximum == 16_384)
        #expect(found.probes.count < tiers.count)
        #expect(found.probes.contains { !$0.succeeded && $0.context > 16_384 })
        #expect(found.probes.contains(LlamaContextCalibrationProbe(context: 16_384, succeeded: true)))
    }

    @Test("CA-2: where the largest works, nothing else is tried")
    func largest() async throws {
        let found = try await Algorithm.search(tiers: Algorithm.tiers(upTo: 40_960)) { _ in true }
        #expect(found.maximum == 40_960)
        #expect(found.probes == [LlamaContextCalibrationProbe(context: 40_960, succeeded: true)])
    }

    @Test("CA-2: where nothing works, there is no maximum")
    func nothing() async throws {
        let found = try await Algorithm.search(tiers: [512, 1_024]) { _ in false }
        #expect(found.maximum == nil)
        #expect(found.probes.map(\.context) == [1_024, 512])
    }

    @Test("CA-2: tiers that are none are not tried", arguments: [[], [0], [-5, .min, 0]])
    func noTiers(tiers: [Int]) async throws {
        let found = try await Algorithm.search(tiers: tiers) { _ in true }
        #expect(found.maximum == nil)
        #expect(found.probes.isEmpty)
    }

    @Test("CA-2: any tiers with any bound", arguments: 0..<4 as Range<UInt64>)
    func anyTiers(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        for count in 0..<70 {
            let tiers = (0..<count).map { _ in Int.random(in: -20...100, using: &random) }
            let usable = Set(tiers.filter { $0 > 0 })
            for bound in [0, 101, .max] + (0..<8).map({ _ in Int.random(in: -20...100, using: &random) }) {
                var tried: [Int] = []
                let found = try await Algorithm.search(tiers: tiers) { size in
                    tried.append(size)
                    return size <= bound
                }
                #expect(found.maximum == usable.filter { $0 <= bound }.max())
                #expect(found.probes.map(\.context) == tried)
                #expect(found.probes.allSatisfy { $0.succeeded == ($0.context <= bound) })
                #expect(Set(tried).count == tried.count && usable.isSuperset(of: tried))
                #expect(tried.count <= Algorithm.maximumProbeCount(tierCount: usable.count))
            }
        }
    }

    @Test("CA-2: every number of tiers keeps the bound at every maximum")
    func everyCount() async throws {
        for count in 1...66 {
            for bound in 0...count {
                let found = try await Algorithm.search(tiers: Array(1...count)) { $0 <= bound }
                #expect(found.maximum == (bound == 0 ? nil : bound))
                #expect(found.probes.count <= Algorithm.maximumProbeCount(tierCount: count), "\(count) to \(bound)")
            }
        }
    }

    @Test("CA-2: a size that works by chance is the maximum, however the others turn out")
    func irregular() async throws {
        let found = try await Algorithm.search(tiers: Array(1...8)) { $0 == 5 }
        let succeeded = found.probes.filter(\.succeeded).map(\.context)
        #expect(found.maximum == succeeded.max())
    }

    @Test("CA-8: cancellation of a probe ends the search")
    func cancelledProbe() async {
        await #expect(throws: CancellationError.self) {
            try await Algorithm.search(tiers: [512, 1_024]) { _ in throw CancellationError() }
        }
        await #expect(throws: ProbeFailure.self) {
            try await Algorithm.search(tiers: [512, 1_024]) { _ in throw ProbeFailure() }
        }
    }

    @Test("CA-8: cancellation is noticed before the next probe")
    func cancelledTask() async {
        let tried = Locked(0)
        let task = Task {
            try await Algorithm.search(tiers: [512, 1_024, 2_048]) { _ in
                withUnsafeCurrentTask { $0?.cancel() }
                tried.withLock { $0 += 1 }
                return false
            }
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(tried.withLock { $0 } == 1)
    }
}
