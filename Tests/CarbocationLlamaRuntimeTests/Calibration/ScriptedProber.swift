import CarbocationLocalLLM
import Foundation

@testable import CarbocationLlamaRuntime

/// A model and a device that exist in numbers only, and a record of what was done with them.
actor ScriptedProber: ContextProbing {
    enum Step: Hashable {
        case open
        case measure(ContextTrial)
        case probe(ContextTrial)
        case reload
        case close
    }

    /// The device to measure, by the sizes of a context.
    typealias Measurement = @Sendable (ContextTrial) throws -> [DeviceMemory]
    typealias Attempt = @Sendable (ContextTrial) async throws -> ContextProbe

    private let trainingContext: Int
    private let measurement: Measurement
    private let attempt: Attempt
    private(set) var steps: [Step] = []

    init(
        trainingContext: Int, measure: @escaping Measurement = { _ in [DeviceMemory(name: "CPU", kind: .host)] },
        probe: @escaping Attempt
    ) {
        self.trainingContext = trainingContext
        measurement = measure
        attempt = probe
    }

    func open() async throws -> Int {
        steps.append(.open)
        return trainingContext
    }

    func measure(_ trial: ContextTrial) async throws -> [DeviceMemory] {
        steps.append(.measure(trial))
        return try measurement(trial)
    }

    func probe(_ trial: ContextTrial) async throws -> ContextProbe {
        steps.append(.probe(trial))
        return try await attempt(trial)
    }

    func reload() async throws { steps.append(.reload) }

    func close() async { steps.append(.close) }

    /// Contexts that were really made, in order.
    var probed: [Int] {
        steps.compactMap { step in
            if case .probe(let trial) = step { trial.contextSize } else { nil }
        }
    }

    /// Calibrates with this prober, a limit of 2048 tokens for batches, and 16 GiB of memory unless said otherwise.
    nonisolated func calibrate(
        physicalMemory: UInt64 = 16 << 30, batchSizeLimit: Int = 2048, in store: LlamaContextCalibrationStore,
        onProgress: @escaping @Sendable (LlamaContextCalibrationProgress) -> Void = { _ in }
    ) async throws -> LlamaContextCalibrationRecord {
        try await ContextCalibrator(
            prober: self, batchSizeLimit: batchSizeLimit, budgets: ContextBudgets(physicalMemoryBytes: physicalMemory),
            onProgress: onProgress
        ).run(model: Calibrations.model, runtime: Calibrations.runtime, store: store, work: NativeWork())
    }
}

/// What calibrations in tests are about.
enum Calibrations {
    static let model = InstalledModel(
        id: UUID(), displayName: "Scripted", filename: "scripted.gguf", sizeBytes: 1, contextLength: 65_536)
    static let runtime = LlamaEngine.contextCalibrationRuntimeFingerprint()

    /// Calls `body` with an empty store of its own.
    static func withStore<Result>(
        _ body: (LlamaContextCalibrationStore) async throws -> Result
    ) async throws -> Result {
        let suite = "CalibrationTests.\(UUID().uuidString)"
        defer { UserDefaults.standard.removePersistentDomain(forName: suite) }
        return try await body(LlamaContextCalibrationStore(suiteName: suite))
    }
}
