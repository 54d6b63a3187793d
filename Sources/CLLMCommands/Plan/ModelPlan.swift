package import CarbocationLocalLLM
package import CarbocationLocalLLMRuntime
package import Foundation

/// With how much context a model is loaded when the user gives none, and what it can do.
package struct ModelPlan: Sendable, Hashable {
    /// Nil for a file outside of the library.
    package var selection: LLMModelSelection?
    package var displayName: String
    package var requestedContext: Int
    package var mode: LlamaContextMode
    /// 0 when it is not known.
    package var trainingContext: Int
    /// What a calibration with the same settings found; nil without one.
    package var calibratedMaximum: Int?
    package var capabilities: LocalLLMModelCapabilities

    package init(
        selection: LLMModelSelection?, displayName: String, requestedContext: Int, mode: LlamaContextMode,
        trainingContext: Int, calibratedMaximum: Int? = nil, capabilities: LocalLLMModelCapabilities
    ) {
        self.selection = selection
        self.displayName = displayName
        self.requestedContext = requestedContext
        self.mode = mode
        self.trainingContext = trainingContext
        self.calibratedMaximum = calibratedMaximum
        self.capabilities = capabilities
    }

    /// The facade's plan, with what it was made from.
    package init(
        _ plan: LocalLLMLoadPlan, mode: LlamaContextMode, trainingContext: Int, calibratedMaximum: Int? = nil
    ) {
        self.init(
            selection: plan.selection, displayName: plan.displayName, requestedContext: plan.requestedContext,
            mode: mode, trainingContext: trainingContext, calibratedMaximum: calibratedMaximum,
            capabilities: plan.capabilities)
    }

    /// The plan for a file outside of the library, from what its header says; what the user prefers is for installed
    /// models.
    package init(fileAt url: URL) {
        let metadata = try? GGUFMetadataReader.metadata(at: url)
        let training = metadata?.trainingContextLength ?? 0
        self.init(
            selection: nil, displayName: url.lastPathComponent,
            requestedContext: LlamaContextPolicy.autoContext(trainingContext: training), mode: .auto,
            trainingContext: training,
            capabilities: LocalLLMModelCapabilities(
                supportsGrammar: true, usesExactTokenCounts: true, contextSize: training,
                supportsMTPAcceleration: metadata?.supportsMTPAcceleration ?? false,
                thinkingCapabilities: metadata?.thinkingCapabilities ?? .none))
    }
}
