import CarbocationLocalLLM

/// Whether a generation is speculated on, and if not, why: decided before it starts.
struct SpeculationPlan: Hashable, Sendable {
    /// What a request has that speculation keeps away from.
    struct Controls: Hashable, Sendable {
        /// The output is read for calls of tools.
        var readsToolCalls = false
        /// The thinking can be ended from outside.
        var endsThinking = false
        /// A grammar begins later than the reply.
        var hasLazyGrammar = false

        /// Whether any of it is there.
        var areIncompatible: Bool { readsToolCalls || endsThinking || hasLazyGrammar }
    }

    let status: LLMGenerationAccelerationStatus
    private let method: SpeculationMethod?
    private let draftLimit: Int

    /// Decides.
    ///
    /// - Parameters:
    ///   - method: What the configuration asks for; nil when there is nothing to draft with.
    ///   - draftLimit: Most tokens of one draft.
    ///   - policy: What the caller allows.
    ///   - controls: What the request has.
    ///   - isReady: Whether the method works with what was loaded.
    init(
        method: SpeculationMethod?, draftLimit: Int, policy: LLMAccelerationPolicy, controls: Controls, isReady: Bool
    ) {
        self.method = method
        self.draftLimit = draftLimit
        status =
            if method == nil {
                .unsupported
            } else if policy == .disabled {
                .disabledByPolicy
            } else if controls.areIncompatible {
                .disabledByIncompatibleControlPath
            } else {
                isReady ? .active : .runtimeUnavailable
            }
    }

    /// The statistics of a generation that drafted that much.
    func stats(_ drafts: DraftTally = DraftTally()) -> LLMGenerationAccelerationStats {
        let isNamed = status != .unsupported && status != .disabledByPolicy
        return LLMGenerationAccelerationStats(
            status: status == .active && drafts.isStopped ? .disabledByMeasurement : status,
            accelerator: isNamed ? method?.rawValue ?? "none" : "none",
            maxDraftTokens: isNamed ? draftLimit : 0, draftCalls: drafts.calls,
            draftTokensGenerated: drafts.drafted, draftTokensAccepted: drafts.accepted)
    }
}
