import CarbocationLocalLLM
import Foundation
import Testing

@testable import CarbocationLlamaRuntime

@Suite("Whether to speculate (SP-1, SP-2, SP-4)")
struct SpeculationPlanTests {
    typealias Controls = SpeculationPlan.Controls

    static let controls = [
        Controls(readsToolCalls: true), Controls(endsThinking: true), Controls(hasLazyGrammar: true),
    ]

    private func plan(
        _ method: SpeculationMethod?, _ policy: LLMAccelerationPolicy = .automatic, _ controls: Controls = Controls(),
        isReady: Bool = true
    ) -> SpeculationPlan {
        SpeculationPlan(method: method, draftLimit: 8, policy: policy, controls: controls, isReady: isReady)
    }

    @Test("SP-4: no method, then policy, then control path, then a draft context that failed", arguments: controls)
    func precedence(controls: Controls) {
        for isReady in [true, false] {
            #expect(plan(nil, .disabled, controls, isReady: isReady).status == .unsupported)
            #expect(plan(nil, .automatic, Controls(), isReady: isReady).status == .unsupported)
            #expect(plan(.draft, .disabled, controls, isReady: isReady).status == .disabledByPolicy)
            #expect(plan(.draft, .disabled, isReady: isReady).status == .disabledByPolicy)
            let status = plan(.mtp, .automatic, controls, isReady: isReady).status
            #expect(status == .disabledByIncompatibleControlPath)
        }
        #expect(plan(.ngram, isReady: false).status == .runtimeUnavailable)
        #expect(plan(.ngram).status == .active)
    }

    @Test("the statistics name the method, unless there is none or it may not be used")
    func stats() {
        let tally = DraftTally(calls: 3, drafted: 12, accepted: 9)
        #expect(
            plan(.draft).stats(tally)
                == LLMGenerationAccelerationStats(
                    status: .active, accelerator: "draft", maxDraftTokens: 8, draftCalls: 3, draftTokensGenerated: 12,
                    draftTokensAccepted: 9))
        let stopped = DraftTally(calls: 3, drafted: 12, accepted: 0, isStopped: true)
        #expect(plan(.mtp).stats(stopped).status == .disabledByMeasurement)
        #expect(plan(.mtp, isReady: false).stats().accelerator == "mtp")
        for plan in [plan(nil), plan(.ngram, .disabled)] {
            #expect(plan.stats().accelerator == "none")
            #expect(plan.stats().maxDraftTokens == 0)
        }
    }

    @Test("SP-1: prediction layers, else a draft model, else earlier tokens")
    func method() {
        var configuration = LlamaEngineConfiguration()
        #expect(SpeculationMethod(configuration, hasPredictionLayers: false) == .ngram)
        configuration.draftModelURL = URL(fileURLWithPath: "/nowhere.gguf")
        #expect(SpeculationMethod(configuration, hasPredictionLayers: false) == .draft)
        #expect(SpeculationMethod(configuration, hasPredictionLayers: true) == .mtp)
    }

    @Test("SP-4: drafts are 1 to 32 tokens long", arguments: [(3, 3), (0, 1), (40, 32), (.min, 1), (.max, 32)])
    func clamping(configured: Int, used: Int) {
        let configuration = LlamaEngineConfiguration(
            mtpMaxDraftTokens: configured, draftModelMaxTokens: configured, ngramMaxDraftTokens: configured)
        for method in [SpeculationMethod.mtp, .draft, .ngram] {
            #expect(method.draftLimit(in: configuration) == used)
        }
    }

    @Test("LR-1: the defaults of a configuration")
    func defaults() {
        let configuration = LlamaEngineConfiguration()
        #expect(configuration.accelerationPolicy == .automatic)
        #expect(configuration.draftModelURL == nil)
        #expect(SpeculationMethod.mtp.draftLimit(in: configuration) == 1)
        #expect(SpeculationMethod.draft.draftLimit(in: configuration) == 8)
        #expect(SpeculationMethod.ngram.draftLimit(in: configuration) == 16)
    }
}
