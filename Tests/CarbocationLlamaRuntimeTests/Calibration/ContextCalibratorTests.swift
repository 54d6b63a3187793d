import CarbocationLocalLLM
import Testing

@testable import CarbocationLlamaRuntime

@Suite("Calibrating contexts", .timeLimit(.minutes(10)))
struct ContextCalibratorTests {
    private struct Broken: Error {}

    /// Collects reports from any thread.
    private final class Reports: Sendable {
        private let reports = Locked<[LlamaContextCalibrationProgress]>([])

        var all: [LlamaContextCalibrationProgress] { reports.withLock { $0 } }

        @Sendable func add(_ report: LlamaContextCalibrationProgress) {
            reports.withLock { $0.append(report) }
        }
    }

    @Test("contexts can be made everywhere, but computed with up to 16,384 only")
    func decodeLimit() async throws {
        try await Calibrations.withStore { store in
            let prober = ScriptedProber(trainingContext: 65_536) { trial in
                trial.contextSize <= 16_384 ? .computed : .failed("out of memory")
            }
            let record = try await prober.calibrate(in: store)
            #expect(record.maximumSupportedContext == 16_384)
            #expect(record.probedTiers.contains { !$0.succeeded })
            #expect(record.probedTiers.count < 8)
            #expect(store.record(for: Calibrations.model, runtime: Calibrations.runtime) == record)
            #expect(await prober.steps.last == .close)
        }
    }

    @Test("the model is loaded again after a failed computation, before the next probe and only then")
    func reload() async throws {
        try await Calibrations.withStore { store in
            let prober = ScriptedProber(trainingContext: 4096) { trial in
                trial.contextSize <= 1024 ? .computed : .failed("broken")
            }
            _ = try await prober.calibrate(in: store)
            let steps = await prober.steps
            for (index, step) in steps.enumerated() {
                guard case .probe(let trial) = step, trial.contextSize > 1024 else { continue }
                let next = steps[(index + 1)...].first { $0 != .close }
                #expect(next == nil || next == .reload)
            }
            let failures = steps.count { step in
                if case .probe(let trial) = step { trial.contextSize > 1024 } else { false }
            }
            #expect(failures > 0)
            #expect(steps.count { $0 == .reload } <= failures)
        }
    }

    @Test("progress tells every step, in order")
    func progress() async throws {
        try await Calibrations.withStore { store in
            let reports = Reports()
            let prober = ScriptedProber(trainingContext: 65_536) { trial in
                trial.contextSize <= 8192 ? .computed : .failed("broken")
            }
            let record = try await prober.calibrate(in: store, onProgress: reports.add)
            let all = reports.all
            var expected: [LlamaContextCalibrationProgressPhase] = [.loadingModel]
            for probe in record.probedTiers {
                expected += [.probing, probe.succeeded ? .probeSucceeded : .probeFailed]
            }
            #expect(all.map(\.phase) == expected + [.saving, .completed])
            #expect(all.first?.fractionCompleted == nil)
            #expect(all.dropFirst().allSatisfy { (0...1).contains($0.fractionCompleted ?? -1) })
            #expect(all.last?.fractionCompleted == 1)
            #expect(all.last?.lastSuccessfulContext == 8192)
            #expect(all.filter { $0.phase == .probing }.map(\.currentContext) == record.probedTiers.map(\.context))
            #expect(all.map(\.completedProbes) == all.map(\.completedProbes).sorted())
        }
    }

    @Test("a cancelled calibration says so and stores nothing")
    func cancellation() async throws {
        try await Calibrations.withStore { store in
            let reports = Reports()
            let started = OneShot<Void>()
            let prober = ScriptedProber(trainingContext: 65_536) { _ in
                started.resolve(())
                while true {
                    try Task.checkCancellation()
                    await Task.yield()
                }
            }
            let task = Task { try await prober.calibrate(in: store, onProgress: reports.add) }
            await started.value()
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
            #expect(reports.all.last?.phase == .cancelled)
            #expect(store.record(for: Calibrations.model, runtime: Calibrations.runtime) == nil)
            #expect(await prober.steps.last == .close)
        }
    }

    @Test("cancelling while the last probe succeeds stores nothing either")
    func lateCancellation() async throws {
        try await Calibrations.withStore { store in
            let reports = Reports()
            let prober = ScriptedProber(trainingContext: 512) { _ in
                withUnsafeCurrentTask { $0?.cancel() }
                return .computed
            }
            let task = Task { try await prober.calibrate(in: store, onProgress: reports.add) }
            await #expect(throws: CancellationError.self) { try await task.value }
            #expect(reports.all.last?.phase == .cancelled)
            #expect(store.record(for: Calibrations.model, runtime: Calibrations.runtime) == nil)
        }
    }

    @Test("no size works")
    func nothingWorks() async throws {
        try await Calibrations.withStore { store in
            let prober = ScriptedProber(trainingContext: 4096) { _ in .refused("no memory") }
            let error = await #expect(throws: LLMEngineError.self) { try await prober.calibrate(in: store) }
            guard case .contextInitFailed(let reason) = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(reason.contains("512"))
            #expect(store.record(for: Calibrations.model, runtime: Calibrations.runtime) == nil)
        }
    }

    @Test("settings that no size works with end the calibration with their reason")
    func unsupported() async throws {
        try await Calibrations.withStore { store in
            let prober = ScriptedProber(
                trainingContext: 4096, measure: { _ in throw UnsupportedContext(reason: "Set kvTypeV to f16.") },
                probe: { _ in .computed })
            await #expect(throws: LLMEngineError.contextInitFailed("Set kvTypeV to f16.")) {
                try await prober.calibrate(in: store)
            }
            #expect(await prober.probed.isEmpty)
        }
    }

    @Test("an assertion of ggml that depends on the size ends the tier and not the calibration")
    func unsupportedSize() async throws {
        try await Calibrations.withStore { store in
            let prober = ScriptedProber(
                trainingContext: 65_536,
                measure: { trial in
                    if trial.contextSize > 4096 { throw UnsupportedContext(reason: "GGML_ASSERT") }
                    return [DeviceMemory(name: "CPU", kind: .host)]
                }, probe: { _ in .computed })
            let record = try await prober.calibrate(in: store)
            #expect(record.maximumSupportedContext == 4096)
        }
    }

    @Test("other errors pass through")
    func otherErrors() async throws {
        try await Calibrations.withStore { store in
            let prober = ScriptedProber(trainingContext: 4096) { _ in throw Broken() }
            await #expect(throws: Broken.self) { try await prober.calibrate(in: store) }
        }
    }

    @Test("sizes whose estimate does not fit are never made")
    func estimate() async throws {
        try await Calibrations.withStore { store in
            // A cache of 1 MiB for each token: 16 GiB of memory give a budget of 12 GiB.
            let prober = ScriptedProber(
                trainingContext: 65_536,
                measure: { trial in
                    [DeviceMemory(name: "CPU", kind: .host, contextBytes: UInt64(trial.contextSize) << 20)]
                },
                probe: { _ in .computed })
            let record = try await prober.calibrate(in: store)
            #expect(record.maximumSupportedContext == 8192)
            #expect(await prober.probed.allSatisfy { $0 <= 8192 })
            #expect(record.probedTiers.first == LlamaContextCalibrationProbe(context: 65_536, succeeded: false))
        }
    }

    @Test("smaller batches are tried where they make the estimate fit, and where llama.cpp refuses larger ones")
    func batches() async throws {
        try await Calibrations.withStore { store in
            let prober = ScriptedProber(
                trainingContext: 512,
                measure: { trial in
                    [DeviceMemory(name: "CPU", kind: .host, computeBytes: UInt64(trial.batchSize) << 27)]
                },
                probe: { trial in trial.batchSize > 8 ? .refused("no memory") : .computed })
            let record = try await prober.calibrate(in: store)
            #expect(record.maximumSupportedContext == 512)
            let tried = await prober.steps.compactMap { step in
                if case .probe(let trial) = step { trial.batchSize } else { nil }
            }
            // 64 of them fit, with a fifth more, into 12 GiB.
            #expect(tried == [64, 32, 16, 8])
        }
    }

    @Test("a size whose cache alone does not fit is measured once")
    func hopeless() async throws {
        try await Calibrations.withStore { store in
            let prober = ScriptedProber(
                trainingContext: 512,
                measure: { _ in [DeviceMemory(name: "CPU", kind: .host, contextBytes: 1 << 40)] },
                probe: { _ in .computed })
            await #expect(throws: LLMEngineError.self) { try await prober.calibrate(in: store) }
            #expect(await prober.steps.count == 3)
        }
    }

    @Test("X12: the total fits, but a single tensor is larger than the device gives in one piece")
    func singleBuffer() async throws {
        try await Calibrations.withStore { store in
            let prober = ScriptedProber(
                trainingContext: 32_768,
                measure: { trial in
                    let tensor = UInt64(trial.contextSize) * 4096 * 2
                    return [
                        DeviceMemory(name: "CPU", kind: .host),
                        DeviceMemory(
                            name: "GPU", kind: .gpu, totalBytes: 1 << 40, freeBytes: 1 << 40, contextBytes: tensor * 64,
                            largestTensorBytes: tensor, maximumBufferBytes: 64 << 20),
                    ]
                },
                probe: { _ in .computed })
            let record = try await prober.calibrate(in: store)
            #expect(record.maximumSupportedContext == 8192)
            #expect(await prober.probed.allSatisfy { $0 <= 8192 })
        }
    }

    @Test("every device has to hold its part")
    func devices() async throws {
        try await Calibrations.withStore { store in
            let prober = ScriptedProber(
                trainingContext: 4096,
                measure: { trial in
                    let bytes = UInt64(trial.contextSize) << 20
                    return [
                        DeviceMemory(name: "CPU", kind: .host),
                        DeviceMemory(
                            name: "GPU", kind: .gpu, totalBytes: 3 << 30, freeBytes: 3 << 30, contextBytes: bytes),
                    ]
                },
                probe: { _ in .computed })
            #if os(Linux)
                let record = try await prober.calibrate(in: store)
                #expect(record.maximumSupportedContext == 2048)
            #else
                // The memory is one there.
                let record = try await prober.calibrate(in: store)
                #expect(record.maximumSupportedContext == 4096)
            #endif
        }
    }

    @Test("a model that does not say what it was trained with is tried up to the fallback")
    func unknownTraining() async throws {
        try await Calibrations.withStore { store in
            let prober = ScriptedProber(trainingContext: 0) { _ in .computed }
            let record = try await prober.calibrate(in: store)
            #expect(record.maximumSupportedContext == LlamaContextPolicy.unknownTrainingFallback)
        }
    }

    @Test("calibrating again keeps when it was done first")
    func again() async throws {
        try await Calibrations.withStore { store in
            let prober = ScriptedProber(trainingContext: 512) { _ in .computed }
            let first = try await prober.calibrate(in: store)
            let second = try await prober.calibrate(in: store)
            #expect(second.createdAt == first.createdAt)
            #expect(second.updatedAt >= first.updatedAt)
        }
    }
}
