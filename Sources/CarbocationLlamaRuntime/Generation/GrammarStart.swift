import CarbocationLocalLLM

/// From where on a reply is bound to its grammar.
enum GrammarStart: Hashable, Sendable {
    /// From the first token on.
    case eager
    /// From the end of the thinking on, which the reply begins in or a marker announces.
    case afterMarker
    /// From the first token on, unless the reply begins with the pair's opener.
    case orThinking(OutputDelimiterPair)
    /// From the beginning of a call on, wherever there is one.
    case atCall
    /// From the first token on, behind this text of the prompt, which the grammar describes too.
    case behindPrompt(String)

    /// How a grammar applies to output that begins like this.
    init(_ phases: ReplyFormat.Phases, enableThinking: Bool) {
        guard case .markers(let profile, let start) = phases else {
            // Every answer in this format has a header before it.
            self = .afterMarker
            return
        }
        switch start {
        case .final: self = .eager
        case .thinking: self = .afterMarker
        case .unknown:
            let pair = profile.effectiveThinkingPairs.first { !$0.open.isEmpty }
            if !enableThinking {
                self = .eager
            } else if let pair, profile.allFinalMarkers.isEmpty {
                self = .orThinking(pair)
            } else {
                self = .afterMarker
            }
        }
    }

    /// The same for the text that comes out.
    var constraint: StructuredOutputGate.Constraint { self == .eager ? .eager : .lazy }

    /// Whether the end of the thinking lets the grammar begin.
    var beginsWithAnswer: Bool {
        switch self {
        case .eager, .afterMarker, .orThinking: true
        case .atCall, .behindPrompt: false
        }
    }
}
