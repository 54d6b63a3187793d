import CarbocationLocalLLM
import TestSupport
import Testing

@Suite("Memory of a calibration")
struct CalibrationMemoryTests {
    private static let mebibyte: UInt64 = 1 << 20
    private static let gibibyte: UInt64 = 1 << 30

    /// Sizes in MiB.
    private func estimate(model: UInt64, context: UInt64, compute: UInt64) -> LlamaContextMemoryEstimate {
        LlamaContextMemoryEstimate(
            modelBytes: model * Self.mebibyte, contextBytes: context * Self.mebibyte,
            computeBytes: compute * Self.mebibyte)
    }

    @Test(
        "CA-4: model, context and work space within a budget, in MiB",
        arguments: [
            (4_096, 1_024, 512, 16_384, 6_144, true),
            (28_672, 1_024, 512, 8_192, 6_144, true),
            (28_672, 8_192, 1_024, 8_192, 15_155, false),
            (0, 0, 0, 512, 512, true), (0, 0, 0, 511, 512, false),
            (1_024, 5_000, 0, 8_192, 7_024, true),
            (0, 51_200, 0, 65_536, 59_392, true), (0, 512_000, 0, 520_192, 520_192, true),
            (100, 0, 0, 0, 512, false),
        ] as [(UInt64, UInt64, UInt64, UInt64, UInt64, Bool)])
    func required(model: UInt64, context: UInt64, compute: UInt64, budget: UInt64, expected: UInt64, fits: Bool) {
        let estimate = estimate(model: model, context: context, compute: compute)
        let budget = budget * Self.mebibyte
        #expect(estimate.requiredBytes(budget: budget) / Self.mebibyte == expected)
        #expect(estimate.fits(budget: budget) == fits)
    }

    @Test("CA-4: sums stay at the largest number")
    func saturated() {
        let huge: [UInt64] = [.max, .max - 1, .max / 2 + 1, 1 << 63]
        for context in huge {
            for compute in huge {
                let estimate = LlamaContextMemoryEstimate(
                    modelBytes: .max, contextBytes: context, computeBytes: compute)
                #expect(estimate.requiredBytes(budget: 16 * Self.gibibyte) == .max)
                #expect(!estimate.fits(budget: .max - 1))
                #expect(estimate.requiredBytes(budget: .max) == .max)
            }
        }
        let model = LlamaContextMemoryEstimate(modelBytes: .max, contextBytes: 0, computeBytes: 0)
        #expect(model.requiredBytes(budget: .max) == .max / 2 + 512 * Self.mebibyte)
        let context = LlamaContextMemoryEstimate(modelBytes: 0, contextBytes: .max - Self.gibibyte, computeBytes: 0)
        #expect(context.requiredBytes(budget: 0) == .max)
    }

    @Test("CA-4: any sizes need what the formula says, and no less for more", arguments: 0..<4 as Range<UInt64>)
    func anySizes(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<2_000 {
            let sizes = (0..<4).map { _ in
                UInt64.random(in: 0...(1 << UInt64.random(in: 1...40, using: &random)), using: &random)
            }
            let estimate = LlamaContextMemoryEstimate(
                modelBytes: sizes[0], contextBytes: sizes[1], computeBytes: sizes[2])
            let budget = sizes[3]
            let working = Double(sizes[1] + sizes[2])
            let reserve = min(max(0.2 * working, 512 * 1_048_576), 8_192 * 1_048_576)
            let expected = min(Double(sizes[0]), 0.5 * Double(budget)) + working + reserve
            let required = estimate.requiredBytes(budget: budget)
            #expect(abs(Double(required) - expected) <= 2)
            #expect(estimate.fits(budget: budget) == (required <= budget))
            var larger = estimate
            larger.contextBytes += UInt64.random(in: 0...Self.gibibyte, using: &random)
            #expect(larger.requiredBytes(budget: budget) >= required)
        }
    }

    @Test("CA-5: the budget of the main memory")
    func hostBudget() {
        #expect(CalibrationBudget.host(physicalMemoryBytes: 16 << 30).bytes == 12 << 30)
        let limited = ProcessMemory(availableBytes: 2 << 30, usedBytes: 1 << 30)
        #expect(CalibrationBudget.host(physicalMemoryBytes: 8 << 30, process: limited).bytes == 3 << 30)
        #expect(CalibrationBudget.host(physicalMemoryBytes: 2 << 30, process: limited).bytes == 3 << 29)
        let unlimited = ProcessMemory(availableBytes: .max, usedBytes: 1)
        #expect(
            CalibrationBudget.host(physicalMemoryBytes: .max, process: unlimited).bytes == 13_835_058_055_282_163_711)
        #expect(CalibrationBudget.host(physicalMemoryBytes: 0).bytes == 0)
    }

    @Test("CA-5: the budgets of GPUs")
    func gpuBudgets() {
        let small = CalibrationBudget.appleGPU(recommendedWorkingSetBytes: 1_000, physicalMemoryBytes: 4_000)
        #expect(small.bytes == 2_550)
        let large = CalibrationBudget.appleGPU(recommendedWorkingSetBytes: 3_600, physicalMemoryBytes: 4_000)
        #expect(large.bytes == 3_060)
        #expect(CalibrationBudget.appleGPU(recommendedWorkingSetBytes: 0, physicalMemoryBytes: 0).bytes == 0)
        #expect(CalibrationBudget.gpu(freeBytes: 10_000).bytes == 9_000)
        #expect(CalibrationBudget.gpu(freeBytes: 5).bytes == 4)
        #expect(CalibrationBudget.gpu(freeBytes: .max, largestBufferBytes: 7).largestBufferBytes == 7)
    }

    /// A model with 7 billion weights and no grouped heads.
    private func cache(cells: UInt64, format: KVElementFormat = .f16) -> KVCacheSize {
        KVCacheSize(
            layers: 32, keyWidth: 4_096, valueWidth: 4_096, keyFormat: format, valueFormat: format, cells: cells)
    }

    @Test("X12: keys and values of a model without grouped heads take 16 GiB at 32,768")
    func cacheSize() {
        #expect(cache(cells: 32_768).totalBytes == 16 * Self.gibibyte)
        #expect(cache(cells: 32_768).largestTensorBytes == 256 * Self.mebibyte)
        #expect(cache(cells: 32_768, format: .q8).totalBytes == 16 * Self.gibibyte * 34 / 64)
        #expect(cache(cells: 32_768, format: .q4).totalBytes == 16 * Self.gibibyte * 18 / 64)
        #expect(cache(cells: 0).totalBytes == 0)
    }

    @Test("X12: rows and layers of any shape")
    func cacheShapes() {
        let partial = KVCacheSize(
            layers: 3, keyWidth: 33, valueWidth: 64, keyFormat: .q8, valueFormat: .f16, cells: 10)
        #expect(partial.totalBytes == 3 * (2 * 34 + 128) * 10)
        #expect(partial.largestTensorBytes == 1_280)
        let none = KVCacheSize(layers: 0, keyWidth: 64, valueWidth: 64, cells: 10)
        #expect((none.totalBytes, none.largestTensorBytes) == (0, 0))
        let huge = KVCacheSize(layers: .max, keyWidth: .max, valueWidth: .max, cells: .max)
        #expect((huge.totalBytes, huge.largestTensorBytes) == (.max, .max))
    }

    @Test("X12: tiers are left out by the total")
    func skippedByTotal() {
        let budget = CalibrationBudget.gpu(freeBytes: 12 << 30)
        let fitting = LlamaContextCalibrationAlgorithm.tiers(upTo: 32_768).filter { tier in
            budget.admits(
                LlamaContextMemoryEstimate(
                    modelBytes: 4 << 30, contextBytes: cache(cells: UInt64(tier)).totalBytes,
                    computeBytes: 256 * Self.mebibyte))
        }
        #expect(fitting == [512, 1_024, 2_048, 4_096, 8_192])
    }

    @Test("X12: tiers are left out by a single buffer")
    func skippedByBuffer() {
        let budget = CalibrationBudget(bytes: 256 << 30, largestBufferBytes: 2 << 30)
        let fitting = LlamaContextCalibrationAlgorithm.tiers(upTo: 32_768).filter { tier in
            let cache = cache(cells: UInt64(tier))
            return budget.admits(
                LlamaContextMemoryEstimate(
                    modelBytes: 4 << 30, contextBytes: cache.totalBytes, computeBytes: 256 * Self.mebibyte),
                buffers: [cache.totalBytes, 256 * Self.mebibyte])
        }
        #expect(fitting == [512, 1_024, 2_048, 4_096])
        let estimate = LlamaContextMemoryEstimate(modelBytes: 0, contextBytes: 16 << 30, computeBytes: 0)
        #expect(budget.admits(estimate, buffers: [cache(cells: 32_768).largestTensorBytes]))
        #expect(CalibrationBudget(bytes: 256 << 30).admits(estimate, buffers: [.max]))
    }
}
