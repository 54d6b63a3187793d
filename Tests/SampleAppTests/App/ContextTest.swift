import CarbocationLocalLLM
import CarbocationLocalLLMRuntime
import Observation

// snippet.calibration
/// Finds out how much context a model can have on this device, with a bar that moves meanwhile.
@MainActor
@Observable
final class ContextTest {
    private(set) var fraction: Double?
    private(set) var trying: Int?

    /// Cancelling the task ends the test, and nothing is stored.
    func run(
        on model: InstalledModel, of shelf: ModelShelf, store: LlamaContextCalibrationStore = .shared
    ) async throws -> Int {
        let (updates, reports) = AsyncStream.makeStream(of: LlamaContextCalibrationProgress.self)
        async let record = calibrate(model, of: shelf, store: store, reports: reports)
        for await update in updates {
            fraction = update.fractionCompleted
            trying = update.currentContext
        }
        return try await record.maximumSupportedContext
    }

    private func calibrate(
        _ model: InstalledModel, of shelf: ModelShelf, store: LlamaContextCalibrationStore,
        reports: AsyncStream<LlamaContextCalibrationProgress>.Continuation
    ) async throws -> LlamaContextCalibrationRecord {
        defer { reports.finish() }
        return try await LocalLLMEngine.calibrateContext(for: model, in: shelf.library, store: store) { progress in
            reports.yield(progress)
        }
    }
}
// snippet.end
