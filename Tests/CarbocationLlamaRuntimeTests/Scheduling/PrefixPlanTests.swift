import Testing

@testable import CarbocationLlamaRuntime

@Suite("Prefix plan (PC-1)")
struct PrefixPlanTests {
    struct Case: CustomTestStringConvertible {
        var cached: [Token]
        var tokens: [Token]
        var common: Int
        var kept: Int
        var removes: Bool
        var reason: PromptReuse.Reason

        var testDescription: String { "\(cached) → \(tokens)" }
    }

    static let cases = [
        Case(cached: [1, 2, 3, 4], tokens: [1, 2, 3, 9], common: 3, kept: 3, removes: true, reason: .diverged(at: 3)),
        Case(cached: [1, 2, 3], tokens: [1, 2, 3], common: 3, kept: 2, removes: true, reason: .wholePrompt),
        Case(cached: [1, 2], tokens: [9], common: 0, kept: 0, removes: true, reason: .noCommonPrefix),
        Case(cached: [1], tokens: [1], common: 1, kept: 0, removes: true, reason: .wholePrompt),
        Case(cached: [1, 2], tokens: [1, 2, 3], common: 2, kept: 2, removes: false, reason: .wholeCache),
        Case(cached: [1, 2, 3, 4], tokens: [1, 2], common: 2, kept: 1, removes: true, reason: .wholePrompt),
        Case(cached: [], tokens: [1, 2], common: 0, kept: 0, removes: false, reason: .noCommonPrefix),
    ]

    @Test("the table of PC-1 and its edges", arguments: cases)
    func table(example: Case) {
        let plan = PrefixPlan(cached: example.cached, tokens: example.tokens)
        #expect(plan.common == example.common)
        #expect(plan.kept == example.kept)
        #expect(plan.removesSuffix == example.removes)
        #expect(PromptReuse(plan, kept: plan.kept) == PromptReuse(cachedTokens: plan.kept, reason: example.reason))
    }

    @Test("X07: less than the plan kept is named, with what the tokens had in common")
    func less() {
        let plan = PrefixPlan(cached: [1, 2, 3, 4], tokens: [1, 2, 3, 9])
        #expect(PromptReuse(plan, kept: 2).reason == .restoredCheckpoint(commonPrefix: 3))
        #expect(PromptReuse(plan, kept: 0) == PromptReuse(cachedTokens: 0, reason: .cannotDropSuffix(commonPrefix: 3)))
    }

    @Test("the reason is told with its counts")
    func explanations() {
        #expect(PromptReuse(cachedTokens: 0, reason: .firstUse).explanation == "nothing was computed before")
        #expect(
            PromptReuse(cachedTokens: 3, reason: .diverged(at: 3)).explanation
                == "the prompt differs from an earlier one after 3 tokens")
        #expect(
            PromptReuse(cachedTokens: 2, reason: .restoredCheckpoint(commonPrefix: 3)).explanation
                == "3 are the same as before, but this model can go back only to a checkpoint")
    }
}
