import CarbocationLocalLLM
import Foundation
import GGUFFormat

/// Turns a model file into a ``LoadedModel``.
struct ModelLoader: Sendable {
    let descriptor: LlamaModelDescriptor
    let requestedContext: Int
    let configuration: LlamaEngineConfiguration
    var pacing = Speculation.Pacing.measured

    /// Whether a load would only give what `model` is already.
    func matches(_ model: LoadedModel) -> Bool {
        guard model.isUsable, let parts = try? ModelFile(url: descriptor.url).identities() else { return false }
        return parts == model.files && (try? configuration.adapterIdentities()) == model.adapters
            && clampedContext(training: model.info.trainingContextSize) == model.info.contextSize
    }

    /// `info` under the names of this load.
    func renamed(_ info: LlamaLoadedModelInfo) -> LlamaLoadedModelInfo {
        var info = info
        info.modelID = descriptor.id
        info.displayName = descriptor.displayName
        info.modelPath = descriptor.url.path
        return info
    }

    /// Tokens of context that a load really uses.
    func clampedContext(training: Int) -> Int {
        let clamped = LlamaContextPolicy.clampedLoadContext(requested: requestedContext, training: training)
        return min(clamped, ContextSettings.largestContext)
    }

    /// Checks the file, opens the weights and creates the context.
    ///
    /// Blocks; stops soon after `signal` is set.
    func load(_ signal: CancellationSignal) throws -> LoadedModel {
        try ModelFile.requireRuntime()
        try configuration.checkCacheTypes()
        let servers = try configuration.serverAddresses()
        let file = ModelFile(url: descriptor.url)
        let facts = try file.check()
        let adapters = try configuration.adapterIdentities()
        for adapter in configuration.adapters {
            try AdapterFile(url: adapter.url).check(architecture: facts.model.architecture)
        }
        // Watches the cores while the weights are read, so that the first batch has a choice to go by.
        let governed = configuration.threadCount == nil ? GovernedThreads(cores: .current()) : nil
        let model = try file.openWeights(facts, configuration: configuration, signal: signal)
        try signal.check()
        let contextSize = clampedContext(training: model.trainingContext)
        let threads = min(
            max(1, configuration.threadCount.map(Int.init) ?? governed?.choice.decode ?? 1),
            ContextSettings.largestThreadCount)
        let stepped = try SteppedContext(
            configuration: configuration, contextSize: contextSize, threads: threads, cancellation: signal
        ) { settings in
            try NativeContext(model: model, settings: settings, signal: signal)
        }
        let renderer = PromptRenderer(model: model)
        return LoadedModel(
            files: facts.identities, adapters: adapters,
            info: info(facts, renderer: renderer, contextSize: contextSize),
            report: LlamaLoadReport(stepped.settings, refusals: stepped.refusals, servers: servers),
            renderer: renderer, context: stepped.context,
            speculation: SpeculationSupport(
                configuration, context: stepped.context, hasPredictionLayers: false, pacing: pacing),
            sequences: configuration.usableSequences, threads: threads,
            governed: governed,
            embedder: TextEmbedder(model: model, contextSize: contextSize, configuration: configuration))
    }

    private func info(
        _ facts: ModelFile.Facts, renderer: PromptRenderer, contextSize: Int
    ) -> LlamaLoadedModelInfo {
        LlamaLoadedModelInfo(
            modelID: descriptor.id, modelPath: descriptor.url.path, displayName: descriptor.displayName,
            contextSize: contextSize, trainingContextSize: renderer.model.trainingContext,
            hasEmbeddedChatTemplate: renderer.mode == .embedded, templateFormatter: renderer.formatter,
            supportsMTPAcceleration: (facts.model.nextNPredictLayers ?? 0) > 0,
            thinkingCapabilities: .derived(fromChatTemplate: renderer.model.chatTemplate()),
            architecture: facts.model.architecture)
    }
}
