import CarbocationLocalLLM
import Foundation
import GGUFFormat

/// Turns a model file into a ``LoadedModel``.
struct ModelLoader: Sendable {
    let descriptor: LlamaModelDescriptor
    let requestedContext: Int
    let configuration: LlamaEngineConfiguration

    /// Whether a load would give what is loaded under `key`.
    func matches(_ key: LoadedModel.Key) throws -> Bool {
        try FileIdentity(url: descriptor.url) == key.file && descriptor.id == key.modelID
            && (requestedContext == key.requestedContext || requestedContext == key.contextSize)
    }

    /// Checks the file, opens the weights and creates the context.
    ///
    /// Blocks; stops soon after `signal` is set.
    func load(_ signal: CancellationSignal) throws -> LoadedModel {
        try ModelFile.requireRuntime()
        let file = ModelFile(url: descriptor.url)
        let facts = try file.check()
        let model = try file.openWeights(facts, configuration: configuration, signal: signal)
        try signal.check()
        let training = model.trainingContext
        let contextSize = LlamaContextPolicy.clampedLoadContext(requested: requestedContext, training: training)
        let threads = configuration.threadCount.map(Int.init) ?? UsableCores.current().recommendedThreadCount
        let context = try NativeContext.create(
            model: model, configuration: configuration, contextSize: contextSize, threads: max(1, threads),
            cancellation: signal)
        let renderer = PromptRenderer(model: model)
        return LoadedModel(
            key: LoadedModel.Key(
                file: facts.identity, modelID: descriptor.id, requestedContext: requestedContext,
                contextSize: contextSize),
            info: info(facts, renderer: renderer, contextSize: contextSize),
            renderer: renderer, context: context, sequences: configuration.usableSequences)
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
