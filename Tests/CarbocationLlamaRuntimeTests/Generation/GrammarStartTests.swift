import CarbocationLocalLLM
import Testing

@testable import CarbocationLlamaRuntime

private let think = OutputDelimiterPair(open: "<think>", close: "</think>")
private let pairs = OutputSanitizationProfile(thinkingPairs: [think])
private let implicit = OutputDelimiterPair(open: "", close: "<channel|>")

@Suite("Where a grammar begins")
struct GrammarStartTests {
    @Test("ST-2: eager in the answer, or when nothing says that thinking comes; else after the thinking")
    func start() {
        #expect(GrammarStart(.markers(pairs, .final(followsMarker: false)), enableThinking: true) == .eager)
        #expect(GrammarStart(.markers(pairs, .unknown), enableThinking: false) == .eager)
        #expect(GrammarStart(.markers(pairs, .unknown), enableThinking: true) == .orThinking(think))
        #expect(GrammarStart(.markers(pairs, .thinking(think)), enableThinking: false) == .afterMarker)
        #expect(GrammarStart(.markers(pairs, .thinking(nil)), enableThinking: true) == .afterMarker)
        let marker = OutputSanitizationProfile(finalMarkers: ["<|final|>"])
        #expect(GrammarStart(.markers(marker, .unknown), enableThinking: true) == .afterMarker)
        #expect(GrammarStart(.harmony(promptTail: "", startsInThinking: nil), enableThinking: false) == .afterMarker)
    }

    @Test("TH-7: what a thinking budget works with")
    func plans() throws {
        func plan(
            _ phases: ReplyFormat.Phases, budget: Int? = 8, thinks: Bool = true, hasControl: Bool = false
        ) -> ThinkingBudgetPlan? {
            var options = GenerationOptions(enableThinking: thinks)
            options.thinkingBudgetTokens = budget
            return ThinkingBudgetPlan(options: options, hasControl: hasControl, phases: phases)
        }
        #expect(plan(.markers(pairs, .unknown), thinks: false) == nil)
        #expect(plan(.markers(.empty, .final(followsMarker: false))) == nil)
        #expect(plan(.markers(pairs, .unknown), budget: nil) == nil)
        let idle = try #require(plan(.markers(pairs, .unknown)))
        #expect(idle.tokens == 8 && !idle.isCounting && idle.opener == "<think>" && idle.closer == "</think>")
        #expect(plan(.markers(pairs, .thinking(think)), budget: 0)?.isCounting == true)
        #expect(plan(.markers(pairs, .thinking(nil)))?.isCounting == true)
        let unlimited = try #require(plan(.markers(pairs, .unknown), budget: nil, hasControl: true))
        #expect(unlimited.tokens == .max && !unlimited.isCounting)
        let open = try #require(plan(.markers(pairs, .thinking(implicit)), budget: nil, hasControl: true))
        #expect(open.tokens == .max && open.isCounting && open.closer == "<channel|>")
        let marker = OutputSanitizationProfile(finalMarkers: ["<|final|>"])
        let byMarker = try #require(plan(.markers(marker, .unknown), budget: nil, hasControl: true))
        #expect(byMarker.tokens == .max && byMarker.isCounting && byMarker.closer == "<|final|>")
    }
}
