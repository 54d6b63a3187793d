import CarbocationLocalLLM
import Foundation

extension LlamaEngineConfiguration {
    /// Whether a model's prediction layers are used: not on servers, where they would compute beside the model.
    var usesPredictionLayers: Bool { accelerationPolicy == .automatic && rpcServers.isEmpty }
}

/// Prepares speculation while a model is loaded.
struct SpeculationLoader: Sendable {
    let configuration: LlamaEngineConfiguration
    let method: SpeculationMethod
    let pacing: Speculation.Pacing

    init(_ configuration: LlamaEngineConfiguration, hasPredictionLayers: Bool, pacing: Speculation.Pacing) {
        self.configuration = configuration
        self.pacing = pacing
        method = SpeculationMethod(configuration, hasPredictionLayers: hasPredictionLayers)
    }

    /// Most tokens to draft at once with the model's own prediction layers; 0 when they are not to be used.
    var predictionTokens: Int {
        method == .mtp && configuration.usesPredictionLayers ? method.draftLimit(in: configuration) : 0
    }

    /// Prepares drafts for a model in `context`.
    ///
    /// Blocks. What cannot be used becomes the failure of the support; only a cancellation is thrown.
    func support(
        context: NativeContext, threads: Int, opened: OpenedMemory, signal: CancellationSignal
    ) throws -> SpeculationSupport {
        guard isAllowed else { return support(nil) }
        switch method {
        case .mtp:
            guard context.predictsTokens else {
                return support(
                    nil, failure: "The prediction layers of the model cannot be used; it generates without them.")
            }
            return support(speculation { PredictionDrafter(context: context) })
        case .draft:
            do {
                return try draftModelSupport(
                    context: context, threads: threads, opened: opened, signal: signal)
            } catch let error as LLMEngineError {
                return support(
                    nil, failure: "The draft model cannot be used; it is left out. \(error.localizedDescription)")
            }
        case .ngram:
            guard context.dropsSuffixes else {
                return support(
                    nil, failure: "The memory of this model cannot take drafts back; it generates without them.")
            }
            return support(speculation { NgramDrafter() })
        }
    }

    private var isAllowed: Bool { configuration.accelerationPolicy == .automatic }

    private func draftModelSupport(
        context: NativeContext, threads: Int, opened: OpenedMemory, signal: CancellationSignal
    ) throws -> SpeculationSupport {
        guard let url = configuration.draftModelURL else { return support(nil) }
        guard context.dropsSuffixes else {
            return support(
                nil, failure: "The memory of this model cannot take drafts back; the draft model is left out.")
        }
        var configuration = configuration
        configuration.adapters = []
        configuration.rpcServers = []
        let file = ModelFile(url: url)
        let facts = try file.check()
        let model = try file.openWeights(facts, configuration: configuration, opened: opened, signal: signal)
        guard model.sharesVocabulary(with: context.model) else {
            throw LLMEngineError.modelLoadFailed(
                "\(url.lastPathComponent) has another vocabulary than the model. Choose a model of the same family.")
        }
        configuration.batchSizeLimit = min(configuration.batchSizeLimit, DraftModel.largestBatch)
        let own = try SteppedContext(
            configuration: configuration, contextSize: context.cellCount, threads: threads, cancellation: signal
        ) { settings in
            try NativeContext(model: model, settings: settings, opened: opened, signal: signal)
        }.context
        own.shareThreads(with: context)
        let draftModel = DraftModel(context: own)
        return SpeculationSupport(
            method: method, configuration: self.configuration,
            speculation: speculation(in: own) { DraftModelDrafter(model: draftModel) },
            draftFile: facts.identities.first, draftContext: own)
    }

    private func speculation(
        in draftContext: NativeContext? = nil, _ makeDrafter: @escaping @Sendable () -> any Drafter
    ) -> Speculation {
        Speculation(
            draftLimit: method.draftLimit(in: configuration), pacing: pacing, draftContext: draftContext,
            now: { CoreLoadMeter.now() }, makeDrafter: makeDrafter)
    }

    private func support(_ speculation: Speculation?, failure: String? = nil) -> SpeculationSupport {
        SpeculationSupport(method: method, configuration: configuration, speculation: speculation, failure: failure)
    }
}
