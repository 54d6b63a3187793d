import CarbocationLlamaRuntime
import CarbocationLocalLLM
import CarbocationLocalLLMRuntime
import Foundation
import TestSupport
import Testing

/// A library in a folder that goes with the test, with the small trained model of the test tree.
@MainActor
final class PocketLibrary {
    nonisolated static let modelFile = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../Fixtures/pocket-toolbot/pocket-toolbot.gguf").standardizedFileURL

    let folder: URL
    let library: ModelLibrary
    let model: InstalledModel

    init() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("facade-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        self.folder = folder
        library = ModelLibrary(
            root: folder.appendingPathComponent("Models"), searchConfiguration: .managedOnly,
            contextLengthProbe: { LocalLLMEngine.probeTrainingContext(at: $0) })
        model = try await library.importFile(at: Self.modelFile, displayName: "Pocket")
    }

    deinit {
        try? FileManager.default.removeItem(at: folder)
    }

    nonisolated var selection: LLMModelSelection { .installed(model.id) }

    func file(_ name: String) -> URL { folder.appendingPathComponent(name) }

    /// Adds a file with the header of a model, which cannot be loaded.
    func addHeader(contextLength: UInt32, template: String? = nil, predictionLayers: UInt32? = nil) async throws
        -> InstalledModel
    {
        var builder = GGUFBuilder()
        builder.add("general.architecture", .string("llama"))
        builder.add("llama.context_length", .uint32(contextLength))
        if let predictionLayers { builder.add("llama.nextn_predict_layers", .uint32(predictionLayers)) }
        if let template { builder.add("tokenizer.chat_template", .string(template)) }
        builder.add(.float32("token_embd.weight", dimensions: [4, 2]))
        let url = file("\(UUID().uuidString).gguf")
        try builder.write(to: url)
        return try await library.importFile(at: url)
    }

    /// An engine with the trained model loaded.
    func engine(_ systemModels: SystemModels = .ofThisSystem, context: Int = 2048) async throws -> LocalLLMEngine {
        let engine = LocalLLMEngine(configuration: .small, systemModels: systemModels)
        try await engine.load(selection: selection, from: library, requestedContext: context)
        return engine
    }

    func session(system: String = "", context: Int = 2048) async throws -> LocalLLMSession {
        try await LocalLLMSession(
            selection: selection, system: system, from: library, requestedContext: context, configuration: .small)
    }
}

extension LocalLLMEngineConfiguration {
    /// For tiny models, whose threads would only wait for each other.
    static var small: LocalLLMEngineConfiguration {
        LocalLLMEngineConfiguration(llamaGPULayerCount: 0, llamaThreadCount: 1)
    }
}

extension GenerationOptions {
    /// The likeliest tokens.
    static func greedy(_ limit: Int = 80, thinks: Bool = false) -> GenerationOptions {
        GenerationOptions(temperature: 0, maxOutputTokens: limit, enableThinking: thinks)
    }
}

extension Trait where Self == ConditionTrait {
    /// Runs only in builds with llama.cpp.
    static var needsRuntime: Self {
        .enabled("build with a llama artifact: run \"make setup\"") { LlamaRuntimeInfo.isAvailable }
    }
}
