import CarbocationLlamaRuntime
import CarbocationLocalLLM
import CarbocationLocalLLMRuntime
import Foundation
import Testing

/// Settings and models of one test, in a folder that goes with it.
@MainActor
final class TestDesk {
    let folder: URL
    let settings: AppSettings
    let shelf: ModelShelf
    private let suiteName = "sample-app-\(UUID().uuidString)"

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent(suiteName)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        settings = AppSettings(defaults: try #require(UserDefaults(suiteName: suiteName)))
        shelf = ModelShelf(
            library: ModelLibrary(
                root: folder.appendingPathComponent("Models"), searchConfiguration: .managedOnly,
                contextLengthProbe: { LocalLLMEngine.probeTrainingContext(at: $0) }))
    }

    deinit {
        UserDefaults().removePersistentDomain(forName: suiteName)
        try? FileManager.default.removeItem(at: folder)
    }

    func file(_ name: String) -> URL { folder.appendingPathComponent(name) }

    var calibrations: LlamaContextCalibrationStore { LlamaContextCalibrationStore(suiteName: suiteName) }

    /// Installs the small trained model of the test tree and selects it.
    func selectPocketModel() async throws -> InstalledModel {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../Fixtures/pocket-toolbot/pocket-toolbot.gguf").standardizedFileURL
        let selection = try await shelf.add(file)
        settings.select(selection)
        return try #require(shelf.library.models.first { .installed($0.id) == selection })
    }
}

extension LocalLLMEngineConfiguration {
    /// For a tiny model, whose threads would only wait for each other.
    static let tiny = LocalLLMEngineConfiguration(llamaGPULayerCount: 0, llamaThreadCount: 1)
}

extension Trait where Self == ConditionTrait {
    /// Runs only in builds with llama.cpp.
    static var needsRuntime: Self {
        .enabled("build with a llama artifact: run \"make setup\"") { LlamaRuntimeInfo.isAvailable }
    }
}
