import Foundation
import Testing

@testable import CarbocationLocalLLM

@Suite("LlamaContextCalibrationStore")
struct LlamaContextCalibrationStoreTests {
    private static let recordsKey = "llama.contextCalibration.records.v1"
    private static let deviceIDKey = "llama.contextCalibration.deviceID.v1"

    private func key(batch: Int) -> LlamaContextCalibrationKey {
        CalibrationSamples.key(runtime: CalibrationSamples.runtime(batch: batch))
    }

    /// What the suite holds, as JSON.
    private func stored(in preferences: ScratchPreferences) throws -> String {
        String(decoding: try #require(preferences.defaults.data(forKey: Self.recordsKey)), as: UTF8.self)
    }

    @Test("CA-6: a record is found for equal keys only")
    func found() throws {
        let preferences = ScratchPreferences()
        let store = LlamaContextCalibrationStore(suiteName: preferences.name)
        let record = CalibrationSamples.record(key(batch: 2_048))
        try store.save(record)
        #expect(store.record(for: key(batch: 2_048)) == record)
        #expect(store.record(for: key(batch: 1_024)) == nil)
        #expect(store.record(for: CalibrationSamples.key(device: "other")) == nil)
    }

    @Test("CA-7: records are a JSON object by storage key")
    func form() throws {
        let preferences = ScratchPreferences()
        let records = [512, 1_024].map { CalibrationSamples.record(key(batch: $0)) }
        for record in records { try LlamaContextCalibrationStore(suiteName: preferences.name).save(record) }
        let decoded = try JSONDecoder().decode(
            [String: LlamaContextCalibrationRecord].self, from: Data(stored(in: preferences).utf8))
        #expect(decoded == Dictionary(uniqueKeysWithValues: records.map { ($0.key.storageKey, $0) }))
    }

    @Test("CA-7: two stores on one suite see each other's records")
    func shared() throws {
        let preferences = ScratchPreferences()
        let stores = [preferences.name, preferences.name].map(LlamaContextCalibrationStore.init(suiteName:))
        #expect(stores[1].record(for: key(batch: 1)) == nil)
        try stores[0].save(CalibrationSamples.record(key(batch: 1)))
        try stores[1].save(CalibrationSamples.record(key(batch: 2)))
        for store in stores {
            #expect(store.record(for: key(batch: 1)) != nil)
            #expect(store.record(for: key(batch: 2)) != nil)
        }
        #expect(LlamaContextCalibrationStore(suiteName: "other-" + preferences.name).record(for: key(batch: 1)) == nil)
    }

    @Test("CA-7: records saved at the same time are all kept")
    func concurrentSaves() async throws {
        let preferences = ScratchPreferences()
        let stores = (0..<4).map { _ in LlamaContextCalibrationStore(suiteName: preferences.name) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for batch in 0..<64 {
                group.addTask {
                    let key = CalibrationSamples.key(runtime: CalibrationSamples.runtime(batch: batch))
                    try stores[batch % 4].save(CalibrationSamples.record(key, maximum: 512 + batch))
                    #expect(stores[(batch + 1) % 4].record(for: key)?.maximumSupportedContext == 512 + batch)
                }
            }
            try await group.waitForAll()
        }
        for batch in 0..<64 {
            #expect(stores[0].record(for: key(batch: batch))?.maximumSupportedContext == 512 + batch)
        }
    }

    @Test("CA-7: the time of creation survives recalibration")
    func recalibration() throws {
        let preferences = ScratchPreferences()
        let store = LlamaContextCalibrationStore(suiteName: preferences.name)
        try store.save(CalibrationSamples.record(created: 10, updated: 10))
        try store.save(CalibrationSamples.record(maximum: 8_192, created: 20, updated: 20))
        try store.save(CalibrationSamples.record(key(batch: 1), created: 30, updated: 30))
        let expected = CalibrationSamples.record(maximum: 8_192, created: 10, updated: 20)
        #expect(store.record(for: CalibrationSamples.key()) == expected)
        #expect(store.record(for: key(batch: 1))?.createdAt == Date(timeIntervalSinceReferenceDate: 30))
    }

    @Test("CA-6: what does not decode stays byte for byte")
    func undecodable() throws {
        let preferences = ScratchPreferences()
        let entries = [
            #""future":{"precise" : 18446744073709551615, "note":"{\"}" }"#, #""text":"not a record""#, #""none":null"#,
            #""broken":nope"#, #""large":1e999"#,
        ]
        preferences.set(Data("{\(entries.joined(separator: " , "))}".utf8), Self.recordsKey)
        let store = LlamaContextCalibrationStore(suiteName: preferences.name)
        #expect(store.record(for: CalibrationSamples.key()) == nil)
        try store.save(CalibrationSamples.record())
        try store.save(CalibrationSamples.record(key(batch: 1)))
        #expect(store.record(for: CalibrationSamples.key()) != nil)
        #expect(store.record(for: key(batch: 1)) != nil)
        let text = try stored(in: preferences)
        for entry in entries { #expect(text.contains(entry), "\(entry)") }
    }

    @Test("CA-6: records of other versions of the algorithm stay and are not used")
    func otherVersions() throws {
        let preferences = ScratchPreferences()
        let store = LlamaContextCalibrationStore(suiteName: preferences.name)
        let earlier = CalibrationSamples.key(runtime: CalibrationSamples.runtime(version: 7))
        try store.save(CalibrationSamples.record(earlier, maximum: 1_024))
        #expect(store.record(for: CalibrationSamples.key()) == nil)
        try store.save(CalibrationSamples.record())
        #expect(store.record(for: CalibrationSamples.key())?.maximumSupportedContext == 16_384)
        #expect(store.record(for: earlier)?.maximumSupportedContext == 1_024)
    }

    @Test("CA-6: an entry that does not decode gives way to a record of its own key")
    func replacing() throws {
        let preferences = ScratchPreferences()
        preferences.set(Data("{\"\(CalibrationSamples.key().storageKey)\":{}}".utf8), Self.recordsKey)
        let store = LlamaContextCalibrationStore(suiteName: preferences.name)
        #expect(store.record(for: CalibrationSamples.key()) == nil)
        try store.save(CalibrationSamples.record())
        #expect(store.record(for: CalibrationSamples.key()) == CalibrationSamples.record())
    }

    @Test("CA-6: a record under another key's name is not taken for it")
    func misplaced() throws {
        let preferences = ScratchPreferences()
        let record = String(decoding: try JSONEncoder().encode(CalibrationSamples.record()), as: UTF8.self)
        preferences.set("{\"\(key(batch: 1).storageKey)\":\(record)}", Self.recordsKey)
        let store = LlamaContextCalibrationStore(suiteName: preferences.name)
        #expect(store.record(for: key(batch: 1)) == nil)
        #expect(store.record(for: CalibrationSamples.key()) == nil)
    }

    static let garbage: [any Sendable] = [
        Data(), Data("[]".utf8), Data([0xFF, 0x7B]), "text", 7, ["a": 1], Data("{\"a\":1".utf8),
    ]

    @Test("CA-7: what is no JSON object counts as no records", arguments: 0..<garbage.count)
    func unusable(index: Int) throws {
        let preferences = ScratchPreferences()
        preferences.set(Self.garbage[index], Self.recordsKey)
        let store = LlamaContextCalibrationStore(suiteName: preferences.name)
        #expect(store.record(for: CalibrationSamples.key()) == nil)
        try store.save(CalibrationSamples.record())
        #expect(store.record(for: CalibrationSamples.key()) == CalibrationSamples.record())
    }

    @Test("CA-7: dates that are not finite are refused, and nothing changes")
    func refusedDates() throws {
        let preferences = ScratchPreferences()
        let store = LlamaContextCalibrationStore(suiteName: preferences.name)
        try store.save(CalibrationSamples.record())
        #expect(throws: EncodingError.self) {
            try store.save(CalibrationSamples.record(created: .nan, updated: .infinity))
        }
        #expect(store.record(for: CalibrationSamples.key()) == CalibrationSamples.record())
    }

    @Test("CA-7: the device has one random id")
    func deviceID() async throws {
        let preferences = ScratchPreferences()
        let stores = (0..<8).map { _ in LlamaContextCalibrationStore(suiteName: preferences.name) }
        let ids = await withTaskGroup(of: String.self) { group in
            for store in stores { group.addTask { store.deviceID() } }
            return await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(ids.count == 1)
        let id = try #require(ids.first)
        #expect(UUID(uuidString: id) != nil)
        #expect(preferences.defaults.string(forKey: Self.deviceIDKey) == id)
        let others = ScratchPreferences()
        #expect(LlamaContextCalibrationStore(suiteName: others.name).deviceID() != id)
        #expect(others.defaults.string(forKey: Self.deviceIDKey) != nil)
    }

    @Test("CA-7: an id that is stored already is used")
    func storedDeviceID() {
        let preferences = ScratchPreferences()
        preferences.set("device", Self.deviceIDKey)
        #expect(LlamaContextCalibrationStore(suiteName: preferences.name).deviceID() == "device")
    }

    @Test("CA-6: the record of an installed model")
    func installedModel() throws {
        let preferences = ScratchPreferences()
        let store = LlamaContextCalibrationStore(suiteName: preferences.name)
        let model = InstalledModel(
            id: CalibrationSamples.modelID, displayName: "Model", filename: "model.gguf", sizeBytes: 7,
            contextLength: 32_768, sha256: "abc")
        let runtime = CalibrationSamples.runtime()
        #expect(store.record(for: model, runtime: runtime) == nil)
        #expect(preferences.defaults.string(forKey: Self.deviceIDKey) == nil)

        let fingerprint = LlamaContextCalibrationModelFingerprint(
            modelID: model.id, filename: "model.gguf", sizeBytes: 7, sha256: "abc", trainingContext: 32_768)
        let key = LlamaContextCalibrationKey(deviceID: store.deviceID(), model: fingerprint, runtime: runtime)
        try store.save(CalibrationSamples.record(key))
        #expect(store.record(for: model, runtime: runtime) == CalibrationSamples.record(key))
        #expect(store.record(for: model, runtime: CalibrationSamples.runtime(batch: 64)) == nil)
        var renamed = model
        renamed.displayName = "Other"
        #expect(store.record(for: renamed, runtime: runtime) != nil)
        renamed.sizeBytes += 1
        #expect(store.record(for: renamed, runtime: runtime) == nil)
    }

    @Test("CA-7: the shared store is one")
    func one() {
        #expect(LlamaContextCalibrationStore.shared === LlamaContextCalibrationStore.shared)
    }
}
