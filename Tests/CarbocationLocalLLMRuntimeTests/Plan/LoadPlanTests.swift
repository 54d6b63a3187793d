import CarbocationLocalLLM
import CarbocationLocalLLMRuntime
import Foundation
import Testing

@MainActor
@Suite("Load plans", .timeLimit(.minutes(10)))
struct LoadPlanTests {
    /// Preferences of their own, which go with the test.
    private final class Preferences {
        let name = "plans-\(UUID().uuidString)"
        let defaults: UserDefaults

        init() throws {
            defaults = try #require(UserDefaults(suiteName: name))
        }

        deinit {
            UserDefaults().removePersistentDomain(forName: name)
        }
    }

    private func plan(
        _ value: String, _ library: ModelLibrary, _ preferences: Preferences, refreshing: Bool = true,
        configuration: LocalLLMEngineConfiguration = LocalLLMEngineConfiguration()
    ) async -> LocalLLMLoadPlan? {
        await LocalLLMEngine.loadPlan(
            from: value, in: library, defaults: preferences.defaults, refreshingLibrary: refreshing,
            calibrationStore: LlamaContextCalibrationStore(suiteName: preferences.name), configuration: configuration)
    }

    @Test("CP-6: a plan needs a listed model")
    func listed() async throws {
        let pocket = try await PocketLibrary()
        let preferences = try Preferences()
        let model = try await pocket.addHeader(contextLength: 32_768)
        let library = ModelLibrary(root: pocket.library.root, searchConfiguration: .managedOnly)
        let value = LLMModelSelection.installed(model.id).storageValue
        #expect(await plan(value, library, preferences, refreshing: false) == nil)
        let plan = try #require(await plan(value, library, preferences))
        #expect(plan.selection == .installed(model.id))
        #expect(plan.displayName == model.displayName)
        #expect(plan.requestedContext == 16_384)
        #expect(plan.capabilities.contextSize == 32_768)
        #expect(plan.capabilities.supportsGrammar && plan.capabilities.usesExactTokenCounts)
        #expect(plan.capabilities.supportsTools && !plan.capabilities.supportsMTPAcceleration)
        #expect(await self.plan("  \(value.lowercased())\n", library, preferences, refreshing: false) == plan)
        #expect(await self.plan("not-a-model", library, preferences) == nil)
        #expect(await self.plan("", library, preferences) == nil)
        try FileManager.default.removeItem(at: model.directory(in: library.root))
        #expect(await self.plan(value, library, preferences) == nil)
    }

    @Test("CP-6: a damaged model gives no plan")
    func damaged() async throws {
        let pocket = try await PocketLibrary()
        let preferences = try Preferences()
        let model = try await pocket.addHeader(contextLength: 4096)
        try Data("no model".utf8).write(to: model.weightsURL(in: pocket.library.root))
        #expect(await plan(model.id.uuidString, pocket.library, preferences) == nil)
    }

    @Test(
        "CP-4, CP-5, CP-6: the preferences that a settings view writes are those that a plan reads",
        arguments: [
            ([:], nil, 16_384), ([:], 65_536, 16_384),
            (["llama.autoContextLimit": "12000"], nil, 12_000), (["llama.autoContextLimit": 65_536], nil, 65_536),
            (["llama.autoContextLimit": 65_536], 32_768, 32_768),
            (["llama.autoContextLimitUsesMaximum": true], 131_072, 131_072),
            (["llama.autoContextLimitUsesMaximum": true, "llama.autoContextLimit": 65_536], nil, 16_384),
            (["llama.contextMode": "manual", "llama.numCtx": 32_768], 16_384, 32_768),
            (["llama.numCtx": 4096], nil, 4096), (["llama.numCtx": 8192], nil, 16_384),
        ] as [([String: any Sendable], Int?, Int)])
    func preferences(stored: [String: any Sendable], calibrated: Int?, context: Int) async throws {
        let pocket = try await PocketLibrary()
        let preferences = try Preferences()
        let model = try await pocket.addHeader(contextLength: 262_144)
        for (key, value) in stored { preferences.defaults.set(value, forKey: key) }
        if let calibrated { try save(calibrated, for: model, in: preferences) }
        #expect(await plan(model.id.uuidString, pocket.library, preferences)?.requestedContext == context)
    }

    @Test("CA-6: a calibration of another configuration does not count")
    func otherConfiguration() async throws {
        let pocket = try await PocketLibrary()
        let preferences = try Preferences()
        let model = try await pocket.addHeader(contextLength: 262_144)
        try save(1024, for: model, in: preferences)
        let value = model.id.uuidString
        #expect(await plan(value, pocket.library, preferences)?.requestedContext == 1024)
        let other = LocalLLMEngineConfiguration(llamaBatchSizeLimit: 64)
        #expect(await plan(value, pocket.library, preferences, configuration: other)?.requestedContext == 16_384)
    }

    private func save(_ maximum: Int, for model: InstalledModel, in preferences: Preferences) throws {
        let store = LlamaContextCalibrationStore(suiteName: preferences.name)
        let key = LlamaContextCalibrationKey(
            deviceID: store.deviceID(), model: LlamaContextCalibrationModelFingerprint(model: model),
            runtime: LocalLLMEngine.contextCalibrationRuntimeFingerprint())
        try store.save(
            LlamaContextCalibrationRecord(
                key: key, maximumSupportedContext: maximum, probedTiers: [], createdAt: Date(), updatedAt: Date()))
    }

    @Test("CP-7: what a model can do comes from its header")
    func capabilities() async throws {
        let pocket = try await PocketLibrary()
        let template = "{% if enable_thinking %}<think>{% endif %}{{ messages }}"
        let model = try await pocket.addHeader(contextLength: 4096, template: template, predictionLayers: 1)
        let found = await LocalLLMEngine.capabilities(for: .installed(model.id), in: pocket.library)
        #expect(found.supportsMTPAcceleration && found.thinkingCapabilities.supportsThinking)
        #expect(found.contextSize == 4096)
        for unknown in [
            await LocalLLMEngine.capabilities(for: .installed(model.id)),
            await LocalLLMEngine.capabilities(for: .installed(UUID()), in: pocket.library),
        ] {
            #expect(
                unknown
                    == LocalLLMModelCapabilities(
                        supportsGrammar: true, usesExactTokenCounts: true, contextSize: 0))
        }
        let apple = await LocalLLMEngine.capabilities(for: .system(.appleIntelligence))
        #expect(!apple.supportsGrammar && !apple.usesExactTokenCounts && apple.supportsTools)
    }
}
