import CarbocationLocalLLM

/// What generations with a loaded model are sped up with.
struct SpeculationSupport: Sendable {
    let method: SpeculationMethod
    /// What the inference thread drafts with; nil when the method does not work with the model, or is not allowed to.
    let speculation: Speculation?
    /// Why a method that was asked for does not work, for people.
    let failure: String?
    private let draftLimit: Int
    private let policy: LLMAccelerationPolicy

    init(
        method: SpeculationMethod, configuration: LlamaEngineConfiguration, speculation: Speculation?,
        failure: String? = nil
    ) {
        self.method = method
        self.speculation = speculation
        self.failure = failure
        draftLimit = method.draftLimit(in: configuration)
        policy = configuration.accelerationPolicy
    }

    /// Whether a generation with such controls is speculated on.
    func plan(_ controls: SpeculationPlan.Controls) -> SpeculationPlan {
        SpeculationPlan(
            method: method, draftLimit: draftLimit, policy: policy, controls: controls, isReady: speculation != nil)
    }
}

extension SpeculationSupport {
    /// Prepares what the configuration asks for.
    init(
        _ configuration: LlamaEngineConfiguration, context: NativeContext, hasPredictionLayers: Bool,
        pacing: Speculation.Pacing
    ) {
        let method = SpeculationMethod(configuration, hasPredictionLayers: hasPredictionLayers)
        let limit = method.draftLimit(in: configuration)
        let now: @Sendable () -> Double = { CoreLoadMeter.now() }
        let isAllowed = configuration.accelerationPolicy == .automatic && context.dropsSuffixes
        self.init(
            method: method, configuration: configuration,
            speculation: isAllowed
                ? Speculation(draftLimit: limit, pacing: pacing, now: now, makeDrafter: { NgramDrafter() }) : nil)
    }
}
