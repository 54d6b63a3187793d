import CarbocationLocalLLM
import Foundation
import Testing

@Suite("LlamaContextCalibrationKey")
struct LlamaContextCalibrationKeyTests {
    typealias Change = @Sendable (inout LlamaContextCalibrationKey) -> Void

    private static let changes: [String: Change] = [
        "deviceID": { $0.deviceID = "other" },
        "model.modelID": { $0.model.modelID = UUID() },
        "model.filename": { $0.model.filename = "other.gguf" },
        "model.sizeBytes": { $0.model.sizeBytes += 1 },
        "model.sha256": { $0.model.sha256 = nil },
        "model.trainingContext": { $0.model.trainingContext += 1 },
        "runtime.platform": { $0.runtime.platform = "macOS" },
        "runtime.deviceModel": { $0.runtime.deviceModel = "arm64" },
        "runtime.physicalMemoryBytes": { $0.runtime.physicalMemoryBytes = .max },
        "runtime.gpuLayerCount": { $0.runtime.gpuLayerCount = 0 },
        "runtime.useMemoryMap": { $0.runtime.useMemoryMap = false },
        "runtime.batchSizeLimit": { $0.runtime.batchSizeLimit = 1_024 },
        "runtime.threadCount": { $0.runtime.threadCount = 4 },
        "runtime.maximumConcurrentSequences": { $0.runtime.maximumConcurrentSequences = 4 },
        "runtime.accelerationEnabled": { $0.runtime.accelerationEnabled = false },
        "runtime.maxDraftTokens": { $0.runtime.maxDraftTokens = 4 },
        "runtime.llamaBuild": { $0.runtime.llamaBuild = "b1235" },
        "runtime.kvTypeK": { $0.runtime.kvTypeK = "q8_0" },
        "runtime.kvTypeV": { $0.runtime.kvTypeV = "q8_0" },
        "runtime.flashAttention": { $0.runtime.flashAttention = "disabled" },
        "runtime.algorithmVersion": { $0.runtime.algorithmVersion = 7 },
    ]

    @Test("CA-6: no field was forgotten here")
    func allFields() {
        func labels(_ value: Any, _ prefix: String) -> [String] {
            Mirror(reflecting: value).children.compactMap { child in child.label.map { prefix + $0 } }
        }
        let key = CalibrationSamples.key()
        let fields = labels(key.model, "model.") + labels(key.runtime, "runtime.") + ["deviceID"]
        #expect(Set(fields) == Set(Self.changes.keys))
        #expect(labels(key, "") == ["deviceID", "model", "runtime"])
    }

    @Test("CA-6: any field makes another key", arguments: changes.keys.sorted())
    func anyField(field: String) throws {
        let key = CalibrationSamples.key()
        var other = key
        let change = try #require(Self.changes[field])
        change(&other)
        #expect(other != key)
        #expect(other.storageKey != key.storageKey)

        let preferences = ScratchPreferences()
        let store = LlamaContextCalibrationStore(suiteName: preferences.name)
        try store.save(CalibrationSamples.record(key))
        #expect(store.record(for: key)?.maximumSupportedContext == 16_384)
        #expect(store.record(for: other) == nil)
    }

    @Test("CA-6: fields that swap their values make another key")
    func swapped() {
        var left = CalibrationSamples.key()
        (left.runtime.kvTypeK, left.runtime.kvTypeV) = ("q8_0", "f16")
        var right = left
        (right.runtime.kvTypeK, right.runtime.kvTypeV) = ("f16", "q8_0")
        #expect(left.storageKey != right.storageKey)
        left.deviceID = "a\",\"b"
        right = left
        right.deviceID = "a"
        right.model.filename = "b\",\"" + right.model.filename
        #expect(left.storageKey != right.storageKey)
    }

    @Test("CA-6: acceleration and its draft length make other keys, equal inputs the same")
    func acceleration() {
        let names = [(true, 1), (false, 0), (true, 4), (true, 1)].map { acceleration, drafts in
            CalibrationSamples.key(runtime: CalibrationSamples.runtime(acceleration: acceleration, drafts: drafts))
                .storageKey
        }
        #expect(names[0] == names[3])
        #expect(Set(names).count == 3)
    }

    @Test("CA-6: names are the same in every process and version")
    func stable() {
        #expect(
            CalibrationSamples.key().storageKey
                == "fce55624ccf25d4bfedfb8704515282318af81a36ca9ad0da308e769ed303059")
    }

    @Test("CA-6: equal text has one name, however it is composed")
    func composed() {
        var composed = CalibrationSamples.key()
        composed.model.filename = "caf\u{e9}.gguf"
        var decomposed = composed
        decomposed.model.filename = "cafe\u{301}.gguf"
        #expect(composed == decomposed)
        #expect(composed.storageKey == decomposed.storageKey)
    }

    @Test("CA: fingerprints have the defaults of a plain engine")
    func defaults() {
        let runtime = CalibrationSamples.runtime()
        #expect(runtime.maximumConcurrentSequences == 1)
        #expect((runtime.kvTypeK, runtime.kvTypeV) == ("f16", "f16"))
        #expect(runtime.flashAttention == "auto")
        #expect(runtime.algorithmVersion == 8)
    }

    @Test("CA: keys and records are the same after coding")
    func coding() throws {
        var record = CalibrationSamples.record()
        record.key.runtime.physicalMemoryBytes = .max
        let data = try JSONEncoder().encode(record)
        #expect(try JSONDecoder().decode(LlamaContextCalibrationRecord.self, from: data) == record)
    }
}
