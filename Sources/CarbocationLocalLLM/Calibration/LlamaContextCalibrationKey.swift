import Foundation

/// What a calibration is looked up by: it holds for exactly this device, model, build and settings.
public struct LlamaContextCalibrationKey: Codable, Sendable, Hashable {
    /// The device, see ``LlamaContextCalibrationStore/deviceID()``.
    public var deviceID: String
    /// The model.
    public var model: LlamaContextCalibrationModelFingerprint
    /// The build and the settings.
    public var runtime: LlamaContextCalibrationRuntimeFingerprint

    /// Creates a key.
    public init(
        deviceID: String, model: LlamaContextCalibrationModelFingerprint,
        runtime: LlamaContextCalibrationRuntimeFingerprint
    ) {
        self.deviceID = deviceID
        self.model = model
        self.runtime = runtime
    }

    /// The name a record is stored under: 64 hexadecimal digits.
    ///
    /// Equal keys have the same name in every process and version, different keys different ones.
    public var storageKey: String {
        let fields = LLMJSONObject([
            ("deviceID", .text(deviceID)), ("model", model.canonicalForm), ("runtime", runtime.canonicalForm),
        ])
        let canonical = LLMJSONValue.object(fields).jsonString(sortedKeys: true)
        return SHA256Hasher.hash(Data(canonical.utf8))
    }
}

// Every field by hand, because Foundation's coders do not write the same bytes in all their versions.

extension LlamaContextCalibrationModelFingerprint {
    fileprivate var canonicalForm: LLMJSONValue {
        [
            "filename": .text(filename),
            "modelID": .string(modelID.uuidString),
            "sha256": sha256.map(LLMJSONValue.text) ?? .null,
            "sizeBytes": .int(sizeBytes),
            "trainingContext": .int(Int64(trainingContext)),
        ]
    }
}

extension LlamaContextCalibrationRuntimeFingerprint {
    fileprivate var canonicalForm: LLMJSONValue {
        [
            "accelerationEnabled": .bool(accelerationEnabled),
            "algorithmVersion": .int(Int64(algorithmVersion)),
            "batchSizeLimit": .int(Int64(batchSizeLimit)),
            "deviceModel": .text(deviceModel),
            "flashAttention": .text(flashAttention),
            "gpuLayerCount": .int(Int64(gpuLayerCount)),
            "kvTypeK": .text(kvTypeK),
            "kvTypeV": .text(kvTypeV),
            "llamaBuild": .text(llamaBuild),
            "maxDraftTokens": .int(Int64(maxDraftTokens)),
            "maximumConcurrentSequences": .int(Int64(maximumConcurrentSequences)),
            // As text, for JSON's whole numbers have a sign here.
            "physicalMemoryBytes": .string(String(physicalMemoryBytes)),
            "platform": .text(platform),
            "threadCount": .int(Int64(threadCount)),
            "useMemoryMap": .bool(useMemoryMap),
        ]
    }
}

extension LLMJSONValue {
    /// Text in one form of those that are equal: file names come composed and decomposed.
    fileprivate static func text(_ text: String) -> LLMJSONValue {
        .string(text.precomposedStringWithCanonicalMapping)
    }
}
