import CarbocationLocalLLM
import Foundation
import GGUFFormat

/// A model file, and a draft model's where a load would open one, without memory for weights.
// `@unchecked` because the prober runs one piece of native work at a time, as the outlines need it.
final class ContextOutline: @unchecked Sendable {
    let facts: ModelFile.Facts
    private let configuration: LlamaEngineConfiguration
    private let threads: Int
    private let model: NativeOutline
    private let draftModel: NativeOutline?
    private let predictionTokens: Int
    /// The adapters' weights, which llama.cpp counts nowhere.
    private let adapterBytes: UInt64

    var trainingContext: Int { model.trainingContext }
    var hasPredictionLayers: Bool { facts.hasPredictionLayers }

    /// Checks and opens the files as a load does.
    ///
    /// Blocks. Throws `LLMEngineError.runtimeUnavailable`, `.modelLoadFailed` or `.contextInitFailed`.
    init(
        file: ModelFile, configuration: LlamaEngineConfiguration, threads: Int, signal: CancellationSignal
    ) throws {
        try ModelFile.requireRuntime()
        try configuration.checkCacheTypes()
        try configuration.requireNoServers()
        facts = try file.check()
        for adapter in configuration.adapters {
            try AdapterFile(url: adapter.url).check(architecture: facts.model.architecture)
        }
        adapterBytes = try configuration.adapterIdentities().reduce(0) { sum, adapter in
            sum + UInt64(clamping: adapter.file.stamp.size)
        }
        try signal.check()
        let drafts = SpeculationLoader(
            configuration, hasPredictionLayers: facts.hasPredictionLayers, pacing: .measured)
        predictionTokens = drafts.predictionTokens
        model = try file.openOutline(facts, configuration: configuration)
        try signal.check()
        draftModel = try drafts.draftFile.flatMap { draft in
            do {
                return try draft.openOutline(try draft.check(), configuration: configuration)
            } catch is LLMEngineError {
                // A load leaves it out as well.
                return nil
            }
        }
        self.configuration = configuration
        self.threads = threads
    }

    /// What all of it would take with such a context, on each device.
    ///
    /// Blocks. Throws as the initialiser of ``NativeContext`` does.
    func memory(for trial: ContextTrial) throws -> [DeviceMemory] {
        var devices = try mainMemory(for: trial)
        if let host = devices.indices.first { devices[host].modelBytes += adapterBytes }
        if let draftModel, let draft = try? draftModel.memory(for: draftSettings(for: trial)) { devices.add(draft) }
        return devices
    }

    private func mainMemory(for trial: ContextTrial) throws -> [DeviceMemory] {
        let measure = { (tokens: Int) in
            try self.model.memory(
                for: ContextSettings(
                    self.configuration, contextSize: trial.contextSize, batchSize: trial.batchSize,
                    threads: self.threads, predictionTokens: tokens))
        }
        guard predictionTokens > 0 else { return try measure(0) }
        do {
            return try measure(predictionTokens)
        } catch is LLMEngineError {
            return try measure(0)
        } catch is UnsupportedContext {
            return try measure(0)
        }
    }

    private func draftSettings(for trial: ContextTrial) -> ContextSettings {
        var settings = ContextSettings(
            configuration, contextSize: trial.contextSize,
            batchSize: min(trial.contextSize, configuration.batchSizeLimit, DraftModel.largestBatch), threads: threads)
        settings.adapterScales = []
        return settings
    }
}

extension ModelFile {
    /// Opens the file as ``openWeights(_:configuration:opened:signal:)`` does, without its weights.
    ///
    /// Blocks.
    fileprivate func openOutline(_ facts: Facts, configuration: LlamaEngineConfiguration) throws -> NativeOutline {
        let open = { (predicts: Bool) in
            try NativeOutline(
                path: url.path, gpuLayers: max(0, configuration.gpuLayerCount),
                usesMemoryMap: configuration.useMemoryMap, predicts: predicts)
        }
        guard facts.hasPredictionLayers, configuration.usesPredictionLayers else { return try open(false) }
        do {
            return try open(true)
        } catch is LLMEngineError {
            return try open(false)
        }
    }
}

extension SpeculationLoader {
    /// The file of the draft model that a load opens; nil when it opens none.
    fileprivate var draftFile: ModelFile? {
        guard method == .draft, configuration.accelerationPolicy == .automatic else { return nil }
        return configuration.draftModelURL.map { ModelFile(url: $0) }
    }
}

extension LlamaEngineConfiguration {
    /// Throws ``LLMEngineError/contextInitFailed(_:)`` when layers would lie on servers, whose memory is not known.
    fileprivate func requireNoServers() throws {
        guard rpcServers.isEmpty || gpuLayerCount <= 0 else {
            throw LLMEngineError.contextInitFailed(
                "Contexts of models on RPC servers cannot be calibrated. Remove rpcServers from the configuration.")
        }
    }
}
