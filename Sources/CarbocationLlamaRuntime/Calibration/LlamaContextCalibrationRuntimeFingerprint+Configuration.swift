import CarbocationLocalLLM
import Foundation

extension LlamaContextCalibrationRuntimeFingerprint {
    /// What contexts with a configuration depend on, on this computer and in this build.
    init(_ configuration: LlamaEngineConfiguration) {
        let isAccelerated = configuration.accelerationPolicy == .automatic
        self.init(
            platform: Self.platformName, deviceModel: DeviceModel.current,
            physicalMemoryBytes: ProcessInfo.processInfo.physicalMemory,
            gpuLayerCount: max(0, configuration.gpuLayerCount), useMemoryMap: configuration.useMemoryMap,
            batchSizeLimit: max(1, configuration.batchSizeLimit), threadCount: max(0, configuration.threadCount ?? 0),
            maximumConcurrentSequences: configuration.usableSequences, accelerationEnabled: isAccelerated,
            maxDraftTokens: isAccelerated ? configuration.fingerprintedDraftTokens : 0,
            llamaBuild: [
                LlamaRuntimeInfo.commit, LlamaRuntimeInfo.version,
                isAccelerated ? configuration.draftModelMark : "",
            ].filter { !$0.isEmpty }.joined(separator: " "),
            kvTypeK: configuration.kvTypeK.rawValue, kvTypeV: configuration.kvTypeV.rawValue,
            flashAttention: configuration.flashAttention.rawValue)
    }

    private static var platformName: String {
        #if os(macOS)
            "macOS"
        #elseif os(iOS)
            "iOS"
        #else
            "Linux"
        #endif
    }
}

extension LlamaEngineConfiguration {
    /// The draft model, which takes memory beside the other; empty without one.
    fileprivate var draftModelMark: String {
        guard let draftModelURL else { return "" }
        let size = (try? FileIdentity(url: draftModelURL))?.stamp.size
        return "with \(draftModelURL.lastPathComponent) of \(size.map(String.init) ?? "unknown") bytes"
    }

    /// Tokens whose drafting takes memory: by the model's own layers or by a draft model, never by repetition.
    fileprivate var fingerprintedDraftTokens: Int {
        let predicted = SpeculationMethod.mtp.draftLimit(in: self)
        return draftModelURL == nil ? predicted : max(predicted, SpeculationMethod.draft.draftLimit(in: self))
    }
}
