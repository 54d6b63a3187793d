import CarbocationLocalLLM
import Foundation

/// Keys and records that differ where a test wants it.
enum CalibrationSamples {
    static let modelID = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))

    static func runtime(
        batch: Int = 2_048, acceleration: Bool = true, drafts: Int = 1,
        version: Int = LlamaContextCalibrationAlgorithm.version
    ) -> LlamaContextCalibrationRuntimeFingerprint {
        LlamaContextCalibrationRuntimeFingerprint(
            platform: "Linux", deviceModel: "x86_64", physicalMemoryBytes: 16 << 30, gpuLayerCount: 999,
            useMemoryMap: true, batchSizeLimit: batch, threadCount: 8, accelerationEnabled: acceleration,
            maxDraftTokens: drafts, llamaBuild: "b1234", algorithmVersion: version)
    }

    static func key(
        device: String = "device", runtime: LlamaContextCalibrationRuntimeFingerprint = runtime()
    ) -> LlamaContextCalibrationKey {
        LlamaContextCalibrationKey(
            deviceID: device,
            model: LlamaContextCalibrationModelFingerprint(
                modelID: modelID, filename: "model-Q4_K_M.gguf", sizeBytes: 4 << 30, sha256: "abc",
                trainingContext: 65_536),
            runtime: runtime)
    }

    static func record(
        _ key: LlamaContextCalibrationKey = key(), maximum: Int = 16_384, created: TimeInterval = 1.25,
        updated: TimeInterval = 1.25
    ) -> LlamaContextCalibrationRecord {
        LlamaContextCalibrationRecord(
            key: key, maximumSupportedContext: maximum,
            probedTiers: [
                LlamaContextCalibrationProbe(context: 65_536, succeeded: false),
                LlamaContextCalibrationProbe(context: maximum, succeeded: true),
            ],
            createdAt: Date(timeIntervalSinceReferenceDate: created),
            updatedAt: Date(timeIntervalSinceReferenceDate: updated))
    }
}
