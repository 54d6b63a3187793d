import CarbocationLocalLLM
import Foundation

/// A calibration that is given, or one that goes on until it is cancelled.
struct FakeCalibration: Sendable {
    var maximum: Int? = 4096
    /// Told when it has begun; it then does not end by itself.
    var stalling: AsyncStream<Void>.Continuation?

    static let probes = [
        LlamaContextCalibrationProbe(context: 4096, succeeded: true),
        LlamaContextCalibrationProbe(context: 8192, succeeded: false),
    ]

    func run(
        _ model: InstalledModel, onProgress: @escaping @Sendable (LlamaContextCalibrationProgress) -> Void
    ) async throws -> LlamaContextCalibrationRecord {
        onProgress(LlamaContextCalibrationProgress(phase: .loadingModel, completedProbes: 0, totalProbes: 2))
        if let stalling {
            stalling.yield()
            for await _ in AsyncStream<Void>.makeStream().stream {}
            throw CancellationError()
        }
        onProgress(
            LlamaContextCalibrationProgress(
                phase: .probing, currentContext: 8192, lastSuccessfulContext: 4096, completedProbes: 1, totalProbes: 2))
        guard let maximum else { throw LLMEngineError.contextInitFailed("no context fits") }
        onProgress(LlamaContextCalibrationProgress(phase: .completed, completedProbes: 2, totalProbes: 2))
        let time = Date(timeIntervalSince1970: 1_800_000_000)
        return LlamaContextCalibrationRecord(
            key: LlamaContextCalibrationKey(
                deviceID: "device",
                model: LlamaContextCalibrationModelFingerprint(
                    modelID: model.id, filename: "m", sizeBytes: 1, trainingContext: 8192),
                runtime: Self.runtime),
            maximumSupportedContext: maximum, probedTiers: Self.probes, createdAt: time, updatedAt: time)
    }

    private static let runtime = LlamaContextCalibrationRuntimeFingerprint(
        platform: "test", deviceModel: "test", physicalMemoryBytes: 1, gpuLayerCount: 0, useMemoryMap: true,
        batchSizeLimit: 1, threadCount: 1, accelerationEnabled: true, maxDraftTokens: 1, llamaBuild: "test")
}
