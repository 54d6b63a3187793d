import CarbocationLocalLLM

/// How many tokens a reply may think, and what ends its thinking then.
struct ThinkingBudget: Hashable, Sendable {
    var opener: [Token]
    /// What ends the thinking when the model writes it.
    var closer: [Token]
    /// What ends it when it is forced to end.
    var closing: [Token]
    /// What the reply is made to go on with: the message and ``closing``.
    var forced: [Token]
    /// `Int.max` is no limit.
    var tokens: Int
    /// Whether the reply begins within its thinking.
    var isCounting: Bool
}

/// Which markers a thinking budget works with, before they are tokens.
struct ThinkingBudgetPlan: Hashable, Sendable {
    var opener: String
    /// What ends the thinking when the model writes it.
    var closer: String
    /// What ends it when it is forced to end, up to where the model goes on.
    var closing: String
    var message: String
    /// `Int.max` is no limit.
    var tokens: Int
    var isCounting: Bool

    /// The plan for a request, or nil when there is nothing to plan or to end thinking with.
    ///
    /// A control alone counts without a limit, so that the thinking can be ended from outside. Where tools are offered,
    /// what is forced leaves it to the model whether a call or the answer follows.
    init?(options: GenerationOptions, hasControl: Bool, offersTools: Bool = false, phases: ReplyFormat.Phases) {
        guard options.enableThinking, hasControl || options.thinkingBudgetTokens != nil else { return nil }
        message = options.thinkingBudgetMessage
        tokens = options.thinkingBudgetTokens ?? .max
        switch phases {
        case .harmony:
            opener = "<|channel|>analysis<|message|>"
            closer = "<|end|>"
            closing = "<|end|><|start|>assistant" + (offersTools ? "" : "<|channel|>final<|message|>")
            isCounting = Self.beginsInThinking(phases)
        case .addressed:
            opener = " to=self<|message|>"
            closer = "<|eom|>"
            closing = "<|eom|><|start|>assistant" + (offersTools ? "" : " to=user<|message|>")
            isCounting = Self.beginsInThinking(phases)
        case .markers(let profile, .thinking(let pair?)):
            (opener, closer, isCounting) = (pair.open, pair.close, true)
            if closer.isEmpty { closer = profile.allFinalMarkers.first ?? "" }
            closing = closer
        case .markers(let profile, let start):
            if let pair = profile.effectiveThinkingPairs.first {
                (opener, closer, isCounting) = (pair.open, pair.close, start.phase == .thinking)
            } else {
                (opener, closer, isCounting) = ("", profile.allFinalMarkers.first ?? "", true)
            }
            closing = closer
        }
        guard !closer.isEmpty else { return nil }
    }

    /// Whether the prompt, or the request, says that the output goes on with thinking.
    private static func beginsInThinking(_ phases: ReplyFormat.Phases) -> Bool {
        ReplyReader(ReplyFormat(phases: phases)).phase == .thinking
    }

    /// The plan in tokens of a vocabulary; nil when the closer has none.
    func budget(for model: NativeModel) throws -> ThinkingBudget? {
        let closing = try model.tokens(of: [PromptSegment(text: closing, isInput: false)])
        guard !closing.isEmpty else { return nil }
        return ThinkingBudget(
            opener: try model.tokens(of: [PromptSegment(text: opener, isInput: false)]),
            closer: try model.tokens(of: [PromptSegment(text: closer, isInput: false)]), closing: closing,
            forced: try Self.forced(message: message, closer: closing, model: model), tokens: tokens,
            isCounting: isCounting)
    }

    /// A message, as text that yields no markers, and the closer after it.
    static func forced(message: String, closer: [Token], model: NativeModel) throws -> [Token] {
        try model.tokens(of: [PromptSegment(text: message, isInput: true)]) + closer
    }
}
