import CarbocationLlamaRuntime
import CarbocationLocalLLM
import Foundation

/// Which model to load, and how.
struct ModelArguments: Sendable, Hashable {
    private enum Acceleration: String, CaseIterable { case automatic, disabled }

    static let help =
        "A .gguf file, or an installed model's id, name or Hub reference (default: CLLM_MODEL, the selection)."
    static let model = OptionSpecification.value("model", "MODEL", help)
    static let context = OptionSpecification.value(
        "context", "N", "Context in tokens (default: what 'cllm plan' shows, at most the model's own).")
    static let threads = OptionSpecification.value(
        "threads", "N", "CPU threads (default: chosen by the engine).")
    static let gpuLayers = OptionSpecification.value(
        "gpu-layers", "N", "Layers to place on the GPU; 0 for none (default: all).")
    static let batch = OptionSpecification.value(
        "batch", "N", "Most prompt tokens that are computed at once.")
    static let acceleration = OptionSpecification.value(
        "acceleration", "POLICY",
        "automatic drafts tokens ahead where that is faster, disabled never (default: automatic).")
    static let draftModel = OptionSpecification.value(
        "draft-model", "MODEL", "A smaller model with the same vocabulary to draft tokens with.")
    static let rpc = OptionSpecification.list(
        "rpc", "HOST:PORT", "Spread the layers over RPC servers, in trusted networks only; may be given several times.")
    static let specifications = [model, context] + calibrated + [rpc]

    /// What a calibration depends on.
    static let calibrated = [threads, gpuLayers, batch, acceleration, draftModel]

    /// As given; nil when not.
    var reference: String?
    var context: Int?
    /// The model to draft with, as given; nil when not.
    var draftReference: String?
    var configuration = LlamaEngineConfiguration()

    init(_ arguments: ParsedArguments) throws(UsageError) {
        reference = try arguments.text(Self.model)
        context = try arguments.integer(Self.context, atLeast: 1)
        if let threads: Int32 = try arguments.integer(Self.threads, atLeast: 1) {
            configuration.threadCount = threads
        }
        if let layers: Int32 = try arguments.integer(Self.gpuLayers) { configuration.gpuLayerCount = layers }
        draftReference = try arguments.text(Self.draftModel)
        if let acceleration: Acceleration = try arguments.choice(Self.acceleration) {
            configuration.accelerationPolicy = acceleration == .disabled ? .disabled : .automatic
        }
        if let batch: Int = try arguments.integer(Self.batch, atLeast: 1) { configuration.batchSizeLimit = batch }
        configuration.rpcServers = arguments.options.all(Self.rpc)
    }

    /// The engine's settings, with the file of the model to draft with.
    func configuration(in context: CommandContext) async throws -> LlamaEngineConfiguration {
        var configuration = configuration
        if let draftReference { configuration.draftModelURL = try await context.modelFile(draftReference) }
        return configuration
    }

    /// How to load a model, with the context that the user or else the policy wants.
    func loadRequest(for source: ChosenModel, in context: CommandContext) async throws -> ModelLoadRequest {
        let configuration = try await configuration(in: context)
        let size: Int
        if let given = self.context {
            size = given
        } else {
            size = try await context.runtime.plan(source, configuration: configuration).requestedContext
        }
        return ModelLoadRequest(source: source, context: size, configuration: configuration)
    }

    /// The model given by its place, with the engine's own settings.
    init(reference: String?) {
        self.reference = reference
    }
}
