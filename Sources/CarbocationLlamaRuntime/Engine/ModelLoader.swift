import CarbocationLocalLLM
import Foundation
import GGUFFormat

/// Turns a model file into a ``LoadedModel``.
struct ModelLoader: Sendable {
    let descriptor: LlamaModelDescriptor
    let requestedContext: Int
    let configuration: LlamaEngineConfiguration
    var pacing = Speculation.Pacing.measured
    /// Told what is opened, also when the load fails in the end.
    let opened = OpenedMemory()

    /// Whether a load would only give what `model` is already.
    func matches(_ model: LoadedModel) -> Bool {
        guard model.isUsable, model.model.reachesServers, let parts = try? ModelFile(url: descriptor.url).identities()
        else { return false }
        return parts == model.files && (try? configuration.adapterIdentities()) == model.adapters
            && hasDraftFile(of: model)
            && clampedContext(training: model.info.trainingContextSize) == model.info.contextSize
    }

    /// Whether the draft model of a loaded model, if any, is still the same file.
    private func hasDraftFile(of model: LoadedModel) -> Bool {
        guard let file = model.speculation.draftFile else { return true }
        return configuration.draftModelURL.flatMap { try? FileIdentity(url: $0) } == file
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
        let model = try file.openWeights(facts, configuration: configuration, opened: opened, signal: signal)
        try signal.check()
        let contextSize = clampedContext(training: model.trainingContext)
        let threads = min(
            max(1, configuration.threadCount.map(Int.init) ?? governed?.choice.decode ?? 1),
            ContextSettings.largestThreadCount)
        let drafts = SpeculationLoader(
            configuration, hasPredictionLayers: facts.hasPredictionLayers, pacing: pacing)
        let stepped = try steppedContext(
            for: model, size: contextSize, threads: threads, predictionTokens: drafts.predictionTokens, signal)
        let renderer = PromptRenderer(model: model)
        return LoadedModel(
            files: facts.identities, adapters: adapters,
            info: info(facts, renderer: renderer, contextSize: contextSize),
            report: LlamaLoadReport(stepped.settings, refusals: stepped.refusals, servers: servers),
            renderer: renderer, context: stepped.context,
            speculation: try drafts.support(
                context: stepped.context, threads: threads, opened: opened, signal: signal),
            sequences: configuration.usableSequences, threads: threads,
            governed: governed,
            embedder: TextEmbedder(model: model, contextSize: contextSize, configuration: configuration))
    }

    /// The context to generate in; without predictions when the model's layers for them cannot be used.
    private func steppedContext(
        for model: NativeModel, size: Int, threads: Int, predictionTokens: Int, _ signal: CancellationSignal
    ) throws -> SteppedContext<NativeContext> {
        let make = { (tokens: Int) in
            try SteppedContext(
                configuration: configuration, contextSize: size, threads: threads, predictionTokens: tokens,
                cancellation: signal
            ) { settings in
                try NativeContext(model: model, settings: settings, opened: opened, signal: signal)
            }
        }
        guard predictionTokens > 0 else { return try make(0) }
        do {
            return try make(predictionTokens)
        } catch is LLMEngineError {
            // If something else was wrong, the same without predictions says so.
            return try make(0)
        }
    }

    private func info(
        _ facts: ModelFile.Facts, renderer: PromptRenderer, contextSize: Int
    ) -> LlamaLoadedModelInfo {
        LlamaLoadedModelInfo(
            modelID: descriptor.id, modelPath: descriptor.url.path, displayName: descriptor.displayName,
            contextSize: contextSize, trainingContextSize: renderer.model.trainingContext,
            hasEmbeddedChatTemplate: renderer.mode == .embedded, templateFormatter: renderer.formatter,
            supportsMTPAcceleration: facts.hasPredictionLayers,
            thinkingCapabilities: .derived(fromChatTemplate: renderer.model.chatTemplate()),
            architecture: facts.model.architecture)
    }
}
