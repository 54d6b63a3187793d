import CarbocationLocalLLM
import Foundation

/// What generations with a loaded model are sped up with.
struct SpeculationSupport: Sendable {
    let method: SpeculationMethod
    /// What the inference thread drafts with; nil when the method does not work with the model, or is not allowed to.
    let speculation: Speculation?
    /// Why a method that was asked for does not work, for people.
    let failure: String?
    /// The file of the draft model; nil without one.
    let draftFile: FileIdentity?
    /// The context of the draft model; nil without one.
    let draftContext: NativeContext?
    private let draftLimit: Int
    private let policy: LLMAccelerationPolicy

    init(
        method: SpeculationMethod, configuration: LlamaEngineConfiguration, speculation: Speculation?,
        failure: String? = nil, draftFile: FileIdentity? = nil, draftContext: NativeContext? = nil
    ) {
        self.method = method
        self.speculation = speculation
        self.failure = failure
        self.draftFile = draftFile
        self.draftContext = draftContext
        draftLimit = method.draftLimit(in: configuration)
        policy = configuration.accelerationPolicy
    }

    /// Whether a generation with such controls is speculated on.
    func plan(_ controls: SpeculationPlan.Controls) -> SpeculationPlan {
        SpeculationPlan(
            method: method, draftLimit: draftLimit, policy: policy, controls: controls, isReady: speculation != nil)
    }
}
